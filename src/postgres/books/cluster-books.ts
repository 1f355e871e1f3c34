import type { SessionBook } from '../../base/session-book.ts';
import type { Clock } from '../../engine/ports/ports.ts';
import type { BriefBooks } from '../../oauth/ports/brief-book.ts';
import type { OAuthBook } from '../../oauth/ports/oauth-book.ts';
import type { OwnerBook } from '../../oauth/ports/owner-book.ts';
import type { TokenBook } from '../../oauth/ports/token-book.ts';
import { BookVersions, type BookVersionsParts } from './book-versions.ts';
import { openPostgresBriefBooks } from './postgres-brief-books.ts';
import { openPostgresOAuthBook } from './postgres-oauth-book.ts';
import { openPostgresOwnerBook } from './postgres-owner-book.ts';
import { openPostgresSessionBook } from './postgres-session-book.ts';
import { openPostgresTokenBook } from './postgres-token-book.ts';

/** What all nodes of a cluster know: who may come in, and which sessions there are. */
export interface ClusterBooks {
  readonly tokens: TokenBook;
  readonly sessions: SessionBook;
  readonly oauth: OAuthBook;
  readonly owner: OwnerBook;
  readonly brief: BriefBooks;
}

/**
 * Opens the books of a cluster for one process. What another node changes is seen within a second; see
 * `BookVersions` for what holds while PostgreSQL does not answer.
 */
export function openClusterBooks(
  parts: BookVersionsParts & { readonly clock: Clock },
): ClusterBooks {
  const { postgres, clock } = parts;
  const own = { postgres, clock, versions: new BookVersions(parts) };
  return {
    tokens: openPostgresTokenBook(own),
    sessions: openPostgresSessionBook(own),
    oauth: openPostgresOAuthBook(own),
    owner: openPostgresOwnerBook(own),
    brief: openPostgresBriefBooks(own),
  };
}
