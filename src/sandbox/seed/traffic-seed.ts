/** The visits that led to the sales of the seed, and what the vendors are listed under. */
import { VENDORS } from '../accounts.ts';
import type { Database } from '../store/driver.ts';
import { addTraffic, saveCategory } from '../store/traffic.ts';
import type { SeedPlan } from './seed-plan.ts';

const CATEGORIES: Readonly<Record<(typeof VENDORS)[number], string>> = {
  GREENLEAF: 'Home & Garden',
  FITLAB24: 'Health & Fitness',
  COOKWELL: 'Cooking, Food & Wine',
  CODEMENTOR: 'Computers / Internet',
  YOGAHOME: 'Health & Fitness',
};

/** Wants every purchase to be in. */
export function seedTraffic(db: Database, { randomSeed }: SeedPlan): void {
  for (const vendor of VENDORS) saveCategory(db, vendor, CATEGORIES[vendor]);
  addTraffic(db, randomSeed, 0);
}
