/** `cb whoami` */
import { type Permissions, permissionsOf } from '../../client/permissions.ts';
import { isBuiltIn } from '../../profiles/find-service.ts';
import type { CommandContext } from '../../shell/command-context.ts';
import { command } from '../../shell/define.ts';
import { showValue } from '../../shell/display/show.ts';
import { connectionOptions } from '../../shell/help/help-text.ts';
import { openSession, type Session, withApi } from '../../shell/session/session.ts';
import { profilesOf } from '../../shell/session/stored-profiles.ts';

export const whoami = command({
  words: 'whoami',
  shows: {},
  help: {
    examples: ['cb whoami', 'cb whoami --profile sandbox:read-only'],
    obeys: connectionOptions,
    topics: ['credentials'],
  },
  async run(cmd, _, output) {
    const session = await openSession(cmd);
    const permissions = await withApi(cmd, {}, permissionsOf, session);
    const isKnown = typeof permissions !== 'string';
    await showValue(cmd, output, {
      profile: session.profile ?? null,
      baseUrl: session.baseUrl,
      key: `${session.key.slice(0, 4)}…${session.key.length > 12 ? session.key.slice(-4) : ''}`,
      keyIn: await placeOfKey(cmd, session),
      roles: isKnown ? permissions : null,
    });
    if (!isKnown) cmd.messages.say(`note: ${permissionWords(permissions)}`);
  },
});

/** Null for the sandbox. */
async function placeOfKey(cmd: CommandContext, { profile }: Session): Promise<string | null> {
  if (profile === undefined) return 'environment';
  if (isBuiltIn(profile)) return null;
  const stored = (await profilesOf(cmd)).get(profile);
  return stored?.keychain === undefined ? 'file' : 'keychain';
}

export function permissionWords(permissions: Permissions): string {
  if (permissions === 'unavailable')
    return 'The key is valid. ClickBank did not list its permissions.';
  if (permissions === 'unrecognized') {
    return 'The key is valid. ClickBank listed no permission that cb knows, so its permissions are unknown.';
  }
  if (permissions.length === 0) return 'The key has no permissions.';
  return `Permissions of the key: ${permissions.join(', ')}.`;
}
