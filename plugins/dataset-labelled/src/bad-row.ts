/** Why a row, or a question of it, is no question. The reason is the same for all such rows, so that they are counted together. */
export class BadRow extends Error {
  readonly reason: string;
  /** The member that is wrong, as a path. */
  readonly member: string;

  constructor(member: string, reason: string, sentence: string = reason) {
    super(sentence);
    this.name = 'BadRow';
    this.reason = reason;
    this.member = member;
  }
}
