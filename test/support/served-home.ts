/** A home whose cb uses a bare server, with a key in the environment. */
import { home } from './cb.ts';
import { serve } from './server.ts';

/** Serves until the test ends; `env` of a command replaces its environment. */
export async function servedHome(answer: Parameters<typeof serve>[0], { key = 'API-TEST' } = {}) {
  const { url, asked } = await serve(answer);
  const { cb, folder } = home();
  const env = { CB_BASE_URL: url, CB_API_KEY: key };
  const withEnv: typeof cb = (line, options) => cb(line, { env, ...options });
  return { url, asked, env, folder, cb: withEnv };
}
