import { VaultError } from '../../../base/vault-error.ts';
import type { PropertyValue } from '../../../markdown/facts/facts.ts';
import { isMapValue } from '../../../markdown/properties/property-equal.ts';
import { isIndexUnusable } from '../../ports/index-store.ts';
import type { PropertyType } from '../../ports/records.ts';
import { readPropertyTypes } from '../../settings/property-types.ts';
import type { GivenType } from '../../text/convert-property.ts';
import {
  convertProperty,
  convertTags,
  fittingProperty,
  spokenValue,
} from '../../text/convert-property.ts';
import { propertyType } from '../../text/scan-file.ts';
import type { Draft } from '../../vault/draft.ts';
import { findProperty } from '../list/list-properties.ts';

interface DecideValueRequest {
  readonly key: string;
  readonly value: PropertyValue;
  /** The type that the caller asks for; `json` is the value that a JSON text stands for. */
  readonly type?: GivenType | 'json' | undefined;
  /** The value that the note has now; undefined when it does not have the property. */
  readonly current: PropertyValue | undefined;
}

/**
 * Decides which value is written for a property. Its type is the one that is asked for, or else the
 * one that the vault's settings have for the property, or else that of the note's own value, or else
 * that of most other notes; without any of these, the value itself says it. A value that does not
 * fit the first two fails with `invalid_input`; one that only differs from other values is written
 * as it is, and a text then gets a warning. Null stays null, and `tags` are always tags.
 */
export async function decideValue(
  draft: Draft,
  types: VaultTypes,
  { key, value, type, current }: DecideValueRequest,
): Promise<PropertyValue> {
  if (key.toLowerCase() === 'tags') return convertTags(value);
  if (type === 'json') return jsonOf(value);
  const set = type ?? (await types.inSettings(key));
  if (set !== undefined) return convertProperty(key, value, set);
  if (value === null) return null;
  const here = knownType(current === undefined ? [] : [propertyType(current)]);
  // A list or an object is never converted, so the other notes need not be looked at.
  const known = here ?? (typeof value === 'object' ? undefined : await types.elsewhere(key));
  if (known === undefined) return spokenValue(value);
  const fitting = known === 'object' ? objectOf(value) : fittingProperty(value, known);
  if (fitting !== undefined) return fitting;
  if (typeof value === 'string') {
    draft.warn(
      `"${key}" is ${known === 'object' ? 'an' : 'a'} ${known} in ${here === undefined ? 'most other notes' : 'this note'}, but the new value is not, and was written as it is.`,
    );
  }
  return spokenValue(value);
}

/** The types that the app itself has for some properties. */
const ownTypes: ReadonlyMap<string, GivenType> = new Map([
  ['aliases', 'list'],
  ['cssclasses', 'list'],
]);

/** The type of a property that says something about other values. */
type KnownType = GivenType | 'object';

/** The types of properties in the vault. Each is looked up once, however many notes need it. */
export class VaultTypes {
  readonly #draft: Draft;
  readonly #elsewhere = new Map<string, Promise<KnownType | undefined>>();
  #settings: Promise<ReadonlyMap<string, GivenType>> | undefined;

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  /** The type that the vault's settings have for a property. */
  async inSettings(key: string): Promise<GivenType | undefined> {
    this.#settings ??= settingsOf(this.#draft);
    const folded = key.toLowerCase();
    return (await this.#settings).get(folded) ?? ownTypes.get(folded);
  }

  /**
   * The type that most notes have for a property. Undefined when none has it, and when the index
   * cannot be used.
   */
  elsewhere(key: string): Promise<KnownType | undefined> {
    const folded = key.toLowerCase();
    const found = this.#elsewhere.get(folded) ?? typeElsewhere(this.#draft, key);
    this.#elsewhere.set(folded, found);
    return found;
  }
}

async function settingsOf(draft: Draft): Promise<ReadonlyMap<string, GivenType>> {
  const problems: string[] = [];
  const types = await readPropertyTypes(draft.vault.vault.parts.disk, problems);
  for (const problem of problems) draft.warn(problem);
  return types;
}

function knownType(types: readonly PropertyType[]): KnownType | undefined {
  return types.find((type) => type !== 'empty') as KnownType | undefined;
}

async function typeElsewhere(draft: Draft, key: string): Promise<KnownType | undefined> {
  const { vault } = draft;
  try {
    return knownType((await findProperty(vault, { property: key }))?.types ?? []);
  } catch (error) {
    if (!isIndexUnusable(error)) throw error;
  }
  draft.warn(`The index is not ready, so the type of "${key}" in other notes is not known.`);
  return undefined;
}

function objectOf(value: PropertyValue): PropertyValue | undefined {
  const spoken = spokenValue(value);
  return spoken !== null && isMapValue(spoken) ? spoken : undefined;
}

/** The value that a text stands for as JSON. Fails with `invalid_input` when it is not JSON. */
function jsonOf(value: PropertyValue): PropertyValue {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value) as PropertyValue;
  } catch {
    throw new VaultError('invalid_input', 'The value is not valid JSON; quote it for the shell.');
  }
}
