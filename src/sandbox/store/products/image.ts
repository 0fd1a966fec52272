/** The images of a site: what its products and banners show. */
import type { Database } from '../driver.ts';

export interface Image {
  readonly id: number;
  readonly site: string;
  readonly title: string | null;
  readonly type: string;
  /** 0 or 1. */
  readonly approved: number;
}

/** All images of a site by id; an absent `type` stands for every kind. */
export function findImages(db: Database, site: string, type?: string): Image[] {
  return db.all<Image>(
    `SELECT id, site, title, type, approved FROM image
     WHERE site = ? AND type = coalesce(?, type) ORDER BY id`,
    [site, type ?? null],
  );
}
