import { z } from 'zod';
import { servedToolsets } from '../../base/caller.ts';
import { VaultError } from '../../base/vault-error.ts';
import { tagPolicies } from '../../engine/decide/tag-policy.ts';
import { embedApis } from '../../node/embed/embed-api.ts';
import { contextPlaces, publishModes, syncDirections } from '../options/server-options.ts';
import type { Hello } from './attach-protocol.ts';

const Ms = z.number().nonnegative();
/** The part of a hello that every version has; it is read first, to compare the versions. */
const Greeting = z.object({ vaultdoor: z.literal(1), version: z.string() });

const HelloSchema: z.ZodType<Hello> = Greeting.extend({
  vaults: z
    .array(z.object({ name: z.string(), path: z.string() }))
    .min(1)
    .refine((vaults) => new Set(vaults.map(({ name }) => name)).size === vaults.length),
  tools: z.array(z.enum(servedToolsets)).min(1),
  rights: z.array(z.enum(['read', 'write', 'destroy', 'propose'])),
  brakeFiles: z.number().nonnegative().exactOptional(),
  hide: z.array(z.string()),
  hideTags: z.array(z.string()),
  hideProperties: z.array(z.string()),
  allowRoots: z.array(z.string()),
  tagPolicy: z.enum(tagPolicies),
  history: z.boolean(),
  contextEveryMs: Ms,
  contextPlace: z.enum(contextPlaces),
  contextBodyTags: z.boolean(),
  deadlineMs: Ms,
  toolDeadlinesMs: z.array(z.tuple([z.string(), Ms])),
  poll: z.union([z.boolean(), z.literal('auto')]),
  logReads: z.boolean(),
  notify: z
    .object({ url: z.string().exactOptional(), command: z.string().exactOptional() })
    .exactOptional(),
  sync: z.object({ direction: z.enum(syncDirections), remote: z.string() }).exactOptional(),
  publish: z
    .object({ checkout: z.string(), mode: z.enum(publishModes), hooks: z.boolean() })
    .exactOptional(),
  attachFrom: z.string().exactOptional(),
  embed: z
    .union([
      z.object({ at: z.literal('local'), folder: z.string().exactOptional() }),
      z.object({
        at: z.literal('address'),
        url: z.string(),
        model: z.string(),
        api: z.enum(embedApis),
        keyFile: z.string().exactOptional(),
      }),
    ])
    .exactOptional(),
}).strict();

/**
 * Reads the hello of a program that wants to share this server. Fails with `invalid_input` and the
 * reason when the program has another version, or an option that this one does not know: otherwise
 * the program would be served something other than it asked for.
 */
export function readHello(line: string, version: string): Hello {
  const greeting = Greeting.safeParse(jsonIn(line));
  if (!greeting.success) throw refusal('The server does not understand this greeting.');
  if (greeting.data.version !== version) {
    throw refusal(
      `The server is Vaultdoor ${version} and this is ${oneWord(greeting.data.version)}.`,
    );
  }
  const hello = HelloSchema.safeParse(jsonIn(line));
  if (!hello.success) throw refusal('The server does not know all of these options.');
  return hello.data;
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function oneWord(version: string): string {
  return /^[\w.+-]{1,50}$/.test(version) ? version : 'another version';
}

function refusal(reason: string): VaultError {
  return new VaultError('invalid_input', reason);
}
