import type { Caller } from '../../src/base/caller.ts';
import { VaultError } from '../../src/base/vault-error.ts';
import type { Content } from '../../src/tools/define/outcome.ts';
import type { ListedPrompt, ListedTool, Service } from '../../src/tools/service/service.ts';

// What the official conformance suite asks a server to have, as a service: what of it passes says
// something about our door, since nothing else stands between these answers and the wire.

interface Fixture {
  readonly description: string;
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  readonly run: (
    caller: Caller,
    args: Readonly<Record<string, unknown>>,
  ) => Promise<readonly Content[]>;
}

/** One red pixel, and a tenth of a second of nothing. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image', data: png, mimeType: 'image/png' } as const;
const audio = { type: 'audio', data: wav, mimeType: 'audio/wav' } as const;
const resource = (name: string, mimeType: string, content: string) =>
  ({ type: 'resource', resource: { uri: `test://${name}`, mimeType, text: content } }) as const;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const fixtures: Readonly<Record<string, Fixture>> = {
  test_simple_text: {
    description: 'Answers with text.',
    run: async () => [text('This is a simple text response for testing.')],
  },
  test_image_content: { description: 'Answers with an image.', run: async () => [image] },
  test_audio_content: { description: 'Answers with a sound.', run: async () => [audio] },
  test_embedded_resource: {
    description: 'Answers with a resource.',
    run: async () => [
      resource('embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
  },
  test_multiple_content_types: {
    description: 'Answers with three kinds of content.',
    run: async () => [
      text('Multiple content types test:'),
      image,
      resource('mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  },
  test_logging_tool: {
    description: 'Tells the client nothing on its way.',
    run: async () => [text('Done.')],
  },
  test_error_handling: {
    description: 'Fails.',
    run: async () => {
      throw new VaultError(
        'invalid_input',
        'This tool intentionally returns an error for testing.',
      );
    },
  },
  test_tool_with_progress: {
    description: 'Tells how far it is.',
    run: async (caller) => {
      for (const done of [0, 50, 100]) {
        caller.progress?.({ done, total: 100, message: `${done} of 100` });
        // Progress is told ten times a second at most.
        await pause(150);
      }
      return [text('Done.')];
    },
  },
  test_elicitation: {
    description: 'Asks the user.',
    inputSchema: { type: 'object', properties: { message: { type: 'string' } } },
    run: (caller, { message }) => agreed(caller, String(message)),
  },
  test_input_required_result_elicitation: {
    description: 'Asks the user, too.',
    run: (caller) => agreed(caller, 'What is your name?'),
  },
  test_streaming_elicitation: {
    description: 'Asks, and never by a request of its own.',
    run: (caller) => agreed(caller, 'Is that you?'),
  },
  json_schema_2020_12_tool: {
    description: 'Has a schema with everything in it.',
    inputSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      $defs: {
        address: {
          $anchor: 'addressDef',
          type: 'object',
          properties: { street: { type: 'string' }, city: { type: 'string' } },
        },
      },
      properties: {
        name: { type: 'string' },
        address: { $ref: '#/$defs/address' },
        contactMethod: { type: 'string', enum: ['phone', 'email'] },
        phone: { type: 'string' },
        email: { type: 'string' },
      },
      allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
      if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: { required: ['phone'] },
      else: { required: ['email'] },
      additionalProperties: false,
    },
    run: async () => [text('Called.')],
  },
};

const prompts: readonly ListedPrompt[] = [
  {
    name: 'test_simple_prompt',
    title: 'A prompt',
    description: 'Has no arguments.',
    arguments: [],
  },
  {
    name: 'test_prompt_with_arguments',
    title: 'A prompt with arguments',
    description: 'Repeats its arguments.',
    arguments: ['arg1', 'arg2'].map((name) => ({
      name,
      description: 'Anything.',
      required: true,
      kind: 'text' as const,
    })),
  },
];

const notes: Readonly<Record<string, string>> = { 'Static text.md': 'This is a note.\n' };

/** The suite's fixtures as a service, as far as a service of ours can have them. */
export const fixtureService: Service = {
  vaults: ['fixtures'],
  instructions: () => 'Fixtures of the conformance suite.',
  list: () => Object.entries(fixtures).map(listed),
  has: (name) => Object.hasOwn(fixtures, name),
  insteadOf: () => undefined,
  call: async (name, args, caller) => {
    try {
      const content = await fixtures[name]?.run(caller, args as Record<string, unknown>);
      return { ok: true, value: undefined, content: content ?? [] };
    } catch (thrown) {
      const error = thrown as VaultError;
      return { ok: false, error, content: [text(error.message)] };
    }
  },
  resources: async () =>
    Object.entries(notes).map(([path, { length }]) => ({
      path,
      title: path,
      bytes: length,
      modifiedMs: 0,
    })),
  readResource: async (path) => ({ path, text: noteAt(path) }),
  prompts: () => prompts,
  prompt: async (_name, { arg1, arg2 }) =>
    arg1 === undefined
      ? 'This is a simple prompt for testing.'
      : `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`,
  complete: async ({ value }) => {
    const values = ['paris', 'park', 'party'].filter((word) => word.startsWith(value));
    return { values, total: values.length };
  },
  subscribe: async (path) => {
    noteAt(path);
    return () => undefined;
  },
  ready: async () => undefined,
  disconnected: () => undefined,
};

/** Does what the user agrees to: the one thing that a service of ours can ask. */
async function agreed(caller: Caller, question: string): Promise<readonly Content[]> {
  if (caller.ask === undefined) throw new VaultError('unavailable', 'Nobody can be asked.');
  if (await caller.ask(question)) return [text('The user agreed.')];
  throw new VaultError('cancelled', 'The user did not agree.');
}

function noteAt(path: string): string {
  const note = notes[path];
  if (note === undefined) throw new VaultError('not_found', 'There is no such note.');
  return note;
}

function listed([name, { description, inputSchema }]: [string, Fixture]): ListedTool {
  return {
    name,
    title: name,
    description,
    effect: 'read',
    inputSchema: inputSchema ?? { type: 'object', properties: {} },
  };
}
