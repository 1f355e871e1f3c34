import { formatDate } from '../text/format-date.ts';

/** The values of the placeholders in a template. */
interface TemplateValues {
  /** The name of the new note. */
  readonly title: string;
  readonly timeMs: number;
  readonly dateFormat: string;
  readonly timeFormat: string;
}

/**
 * Replaces `{{title}}`, `{{date}}`, `{{time}}`, `{{date:FORMAT}}` and `{{time:FORMAT}}`, in any
 * case, in the text of a template. Other braces stay, and a value that was filled in is not
 * searched for placeholders.
 */
export function fillTemplate(text: string, values: TemplateValues): string {
  return text.replace(placeholder, (_, name: string, asked: string | undefined) => {
    if (name.toLowerCase() === 'title') return values.title;
    const usual = name.toLowerCase() === 'date' ? values.dateFormat : values.timeFormat;
    return formatDate(values.timeMs, asked?.trim() || usual);
  });
}

const placeholder = /\{\{[ \t]*(title(?=[ \t]*\}\})|date|time)[ \t]*(?::([^\r\n]*?))?\}\}/gi;
