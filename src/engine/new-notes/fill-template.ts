import { formatDate } from '../text/format-date.ts';

/** What the placeholders of a template stand for. */
interface TemplateValues {
  /** The name of the note that is made. */
  readonly title: string;
  readonly timeMs: number;
  readonly dateFormat: string;
  readonly timeFormat: string;
}

/**
 * A template's text with `{{title}}`, `{{date}}`, `{{time}}`, `{{date:FORMAT}}` and
 * `{{time:FORMAT}}` filled in, whatever their case. Other braces stay, and what was filled in is
 * not looked at again.
 */
export function fillTemplate(text: string, values: TemplateValues): string {
  return text.replace(placeholder, (_, name: string, asked: string | undefined) => {
    if (name.toLowerCase() === 'title') return values.title;
    const usual = name.toLowerCase() === 'date' ? values.dateFormat : values.timeFormat;
    return formatDate(values.timeMs, asked?.trim() || usual);
  });
}

const placeholder = /\{\{[ \t]*(title(?=[ \t]*\}\})|date|time)[ \t]*(?::([^\r\n]*?))?\}\}/gi;
