/**
 * How `value` has a value: one that is all of its property, or one of a list. `vague` values have no
 * key: texts that are long, that begin or end with blanks, or that are links.
 */
export const valueKinds = { whole: 0, vagueWhole: 1, listed: 2, vagueListed: 3, listedLink: 4 };

/** Longer texts have no key. */
const keyCharsMax = 100;

/** The characters that JavaScript's `trim` removes. */
export const blanks = [
  ...[9, 10, 11, 12, 13, 32, 160, 0x1680],
  ...Array.from({ length: 11 }, (_, at) => 0x2000 + at),
  ...[0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
];

const { whole, vagueWhole, listed, vagueListed, listedLink } = valueKinds;
const trimmed = `trim(e.value, char(${blanks.join(', ')}))`;
const isList = `json_type(p.value, '$[2]') = 'array'`;
const isLink = `e.type = 'text' AND ${trimmed} LIKE '[[%'`;
const isVague = `e.type = 'text' AND (length(e.value) > ${keyCharsMax} OR e.value <> ${trimmed})`;

/** In lower case, as JavaScript has it: of all letters beyond ASCII, one becomes an ASCII letter. */
const lowerCase = (text: string): string => `lower(replace(${text}, char(8490), 'k'))`;

/**
 * The rows of `value` of notes. `tags` has none: the index knows tags by themselves. The value of a
 * property is the third element of its entry in `NoteDetail`.
 */
const valuesOf = (note: string, file: string, detail: string): string => `
  SELECT name, kind, CASE WHEN kind IN (${whole}, ${listed}) THEN key ELSE '' END, file FROM (
    SELECT ${lowerCase('p.value ->> 0')} AS name,
      CASE WHEN ${isList} AND ${isLink} THEN ${listedLink}
        WHEN ${isList} AND ${isVague} THEN ${vagueListed}
        WHEN ${isList} THEN ${listed}
        WHEN ${isLink} OR ${isVague} THEN ${vagueWhole}
        ELSE ${whole} END AS kind,
      CASE e.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE e.value END AS key,
      ${file} AS file
    FROM ${note} json_each(${detail}, '$.properties') p CROSS JOIN json_each(p.value, '$[2]') e
    WHERE e.type NOT IN ('null', 'object', 'array') AND json_type(p.value, '$[2]') <> 'object'
  ) WHERE name <> 'tags'`;

/**
 * `property`: the properties of each note that has some, as `NoteDetail` has them, so that a query
 * need not read all that is known of a note. `value`: the values of properties by name in lower case.
 * A key is a number, or a text (`true` and `false` are texts, too); SQLite sorts numbers first.
 */
export const keptValues = {
  table: 'value',
  sql: `
    CREATE TABLE property (file INTEGER PRIMARY KEY, written TEXT NOT NULL);
    INSERT INTO property SELECT file, detail -> '$.properties' FROM note
      WHERE json_array_length(detail, '$.properties') > 0;
    CREATE TRIGGER property_new AFTER INSERT ON note
      WHEN json_array_length(NEW.detail, '$.properties') > 0
      BEGIN INSERT INTO property VALUES (NEW.file, NEW.detail -> '$.properties'); END;
    CREATE TRIGGER property_gone AFTER DELETE ON note
      BEGIN DELETE FROM property WHERE file = OLD.file; END;

    CREATE TABLE value (
      name TEXT NOT NULL,
      kind INTEGER NOT NULL,
      key NOT NULL,
      file INTEGER NOT NULL,
      PRIMARY KEY (name, kind, key, file)
    ) WITHOUT ROWID;
    INSERT OR IGNORE INTO value
      SELECT * FROM (${valuesOf('note n CROSS JOIN', 'n.file', 'n.detail')}) ORDER BY 1, 2, 3, 4;
    CREATE TRIGGER value_new AFTER INSERT ON note
      BEGIN INSERT OR IGNORE INTO value ${valuesOf('', 'NEW.file', 'NEW.detail')}; END;
    CREATE TRIGGER value_gone AFTER DELETE ON note
      BEGIN DELETE FROM value WHERE (name, kind, key, file) IN
        (${valuesOf('', 'OLD.file', 'OLD.detail')}); END;
    CREATE INDEX file_modified ON file (mtime);
  `,
};
