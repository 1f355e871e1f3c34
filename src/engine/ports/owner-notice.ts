/** Something that waits for the owner. Never has text of notes or their names. */
export interface WaitingMatter {
  readonly kind: 'question' | 'proposal';
  /** The client that waits, as it names itself. */
  readonly client?: string;
}

/** Tells the owner, outside of the program, that something waits for them. */
export interface OwnerNotice {
  /** Returns at once. Several matters are told together, at most once a minute. */
  waits(matter: WaitingMatter): void;
}
