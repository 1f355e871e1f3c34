import type { ShownNote } from './shown-note.ts';

/** The properties of a note; nothing where it has none. Broken YAML is shown as text with its error. */
export function PropertyList({
  note,
}: {
  readonly note: ShownNote;
  readonly vault?: string | undefined;
}) {
  const properties = note.facts?.frontmatter;
  if (properties === undefined) return null;
  return (
    <dl class="props">
      {Object.entries(properties).map(([key, value]) => (
        <div key={key}>
          <dt>{key}</dt>
          <dd>{JSON.stringify(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
