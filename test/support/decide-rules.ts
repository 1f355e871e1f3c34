// How a rule about who may do what looks in source text. Such rules belong into engine/decide;
// tidy.test.ts looks for these patterns everywhere else.

/** The pieces of a text that look like a rule of one kind. */
export type FindRules = (text: string) => readonly string[];

function finding(...patterns: readonly RegExp[]): FindRules {
  return (text) => {
    const code = stripComments(text);
    return patterns.flatMap((pattern) => Array.from(code.matchAll(pattern), ([found]) => found));
  };
}

/** The text without comments. */
export function stripComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}

/** Looking into a list of rights, by any name, instead of handing it to `decide` or `rightTo`. */
export const findRightsRules = finding(
  /\b(effects|rights)\b(\s+as\b[^;)]*\))?\s*\??(\.\s*(?!join\b)\w+|\.?\[)/g,
  /\b(Set|from)(<\w*>)?\(\s*[\w.?]*\b(effects|rights)\b/g,
  /\b(of|in)\s+[\w.?]*\b(effects|rights)\b/g,
  /\.\.\.[\w.?]*\b(effects|rights)\b/g,
  /\.\s*(includes|indexOf|lastIndexOf)\(\s*['"`](read|write|destroy|propose)['"`]/g,
  /\b(effects|rights):\s*\w+\s*(,[^}]*)?\}\s*(=|:\s*(Pick<\s*)?(Scopes|Caller)\b)/g,
);

/** Calling `rightTo`: right for words and lists of tools, but not for refusing something. */
export const findUsesOfRightTo = finding(/\brightTo\s*\(/g);

/** Looking at the folders, globs and marks of scopes, also after giving the scopes another name. */
export const findViewRules = finding(
  /\bscopes\b[^;]*?\b(folders|hide\w*)\b/gi,
  /\{[^{}]*\b(folders|hide\w*)\b[^{}]*\}\s*(:\s*\w*<?\s*Scopes\b|=\s*[\w.?]*(scopes|caller)\b)/gi,
  /\bfolders\s*\??\.\s*\w+\(\s*['"`]{2}/g,
  /\bhide(Tags|Properties)\b/g,
  /(?<!\bview)\s*\??\.\s*hide\b/g,
  /\bscopes:\s*\w+\s*(,[^}]*)?\}\s*=/g,
  /(?<=[\s(]\w+)\s*=\s*[\w.?]*\bscopes\s*;/g,
);

/** Treating callers differently by the door that they use. */
export const findDoorRules = finding(
  /\bdoor\b\s*\)?\s*[=!]==?(?!=|\s*(undefined|\w+\.door)\b)/g,
  /[=!]==?\s*[\w.?]*\bdoor\b/g,
  /\b(switch|includes|has)\s*\(\s*[\w.?]*\bdoor\b/g,
  /\[\s*[\w.?]*\bdoor\s*\]/g,
);

/** Failing with the codes of refusals. Comparing with them and listing them is no rule. */
export const findRefusals = finding(
  /(?<![=!]==?\s*|\bcase\s+|[[,]\s*)['"`](forbidden|tag_not_allowed)['"`]/g,
);

/** Deciding by the policy for tags, by the brake or by propose mode. */
export const findPolicyRules = finding(/['"`](enforce|strict|propose)['"`]/g, /\bbrakeFiles\b/g);
