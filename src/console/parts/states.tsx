import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../page/api.ts';
import { strings } from '../words/strings.ts';
import { Icon, type IconName } from './icon.tsx';

/** Grey lines in the shape of what comes, after a moment. */
export function Loading({ lines = 6 }: { readonly lines?: number }) {
  return (
    <div class="loading" role="status" aria-label={strings.loading}>
      {Array.from({ length: lines }, (_, at) => (
        <i key={at} />
      ))}
    </div>
  );
}

/** Says what will be here, and offers the next step. */
export function Empty({
  icon,
  title,
  isPage,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  /** Whether it is all that the page shows: its title is then the page's heading. */
  readonly isPage?: boolean;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <Icon name={icon} />
      {isPage === true ? <h1 tabIndex={-1}>{title}</h1> : <h2>{title}</h2>}
      {children}
    </div>
  );
}

/** A failure in the server's own words, which are written for people. */
export function Failure({
  failure,
  retry,
}: {
  readonly failure: ApiFailure;
  readonly retry?: () => void;
}) {
  return (
    <div class="empty" role="alert">
      <Icon name="warning" />
      <h2>{strings.failed}</h2>
      <p>{failure.message}</p>
      <p>
        {retry === undefined ? undefined : (
          <button type="button" class="btn" onClick={retry}>
            {strings.tryAgain}
          </button>
        )}{' '}
        {failure.code === 'internal' ? (
          <CopyButton text={() => detailsOf(failure)} label={strings.copyDetails} />
        ) : undefined}
      </p>
    </div>
  );
}

function detailsOf({ code, message, details }: ApiFailure): string {
  return JSON.stringify({ code, message, details }, null, 2);
}

/** Copies a text, and says so on itself. */
export function CopyButton({
  text,
  label = strings.copy,
  onlyIcon,
}: {
  readonly text: () => string;
  readonly label?: string;
  readonly onlyIcon?: IconName;
}) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text());
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  const said = isCopied ? strings.copied : label;
  if (onlyIcon !== undefined) {
    return (
      <button
        type="button"
        class="btn quiet only-icon"
        aria-label={said}
        title={said}
        onClick={copy}
      >
        <Icon name={isCopied ? 'tick' : onlyIcon} />
      </button>
    );
  }
  return (
    <button type="button" class="btn small" onClick={copy}>
      <Icon name={isCopied ? 'tick' : 'copy'} /> {said}
    </button>
  );
}
