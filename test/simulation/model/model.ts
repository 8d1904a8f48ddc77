// The reference model, written from the specification. It shares no code with the rules, folds and views that it
// judges.

import { ModelFiles } from './files.ts'

export interface ModelRules {
  readonly ordering: 'asc' | 'desc'
  readonly secondaryOrdering: 'asc' | 'desc'
  readonly unique: boolean
  readonly minScore: string | null
  readonly maxScore: string | null
}

export interface Sent {
  readonly id: string
  readonly board: string
  readonly player: string
  readonly score: string
  readonly secondary: string | null
  readonly extra: string | null
  readonly playerName: string | null
  readonly time: string
}

/** What decides the rank of an entry, and its player. */
export interface Placed extends Pick<Sent, 'id' | 'player' | 'score' | 'secondary'> {
  /** Id of the submission that it shows. */
  readonly shown: string
}

export interface ModelLink {
  readonly kind: 'login' | 'email'
  readonly digest: string
  readonly secret: string
  confirmed: boolean
}

export interface ModelPlayer {
  readonly game: string
  guest: boolean
  readonly externalId: string | null
  readonly created: string
  /** Null if it is unreadable because the player is deleted later in the log. */
  name: string | null
  links: ModelLink[]
  takenOver: { readonly time: string; readonly session: string } | null
  signOuts: number
  banned: { readonly since: string; readonly until: string | null; readonly reason: string | null } | null
}

export interface ModelBoard {
  readonly game: string
  rules: ModelRules
  name: string
  description: string
  key: string | null
  archived: boolean
  /** The new rules and the id of a running rebuild; null if none runs. */
  coming: { readonly id: string; readonly rules: ModelRules } | null
  wasRebuilt: boolean
}

export interface ModelSignIn {
  readonly guest: boolean
  readonly password: boolean
  readonly code: boolean
  readonly ticket: boolean
}

interface ModelSession {
  readonly player: string
  readonly key: string
  /** The number of sign-outs of the whole player when the session began. */
  readonly signOuts: number
  ended: boolean
}

/** An entry as shown on a board. */
export interface ModelEntry extends Omit<Sent, 'time'> {
  readonly added: string
  readonly updated: string
  readonly shown: string
}

export class Model {
  readonly games = new Map<string, { name: string; origins: readonly string[]; signIn: ModelSignIn }>()
  readonly keys = new Map<string, { game: string; permissions: readonly string[]; revoked: boolean }>()
  readonly boards = new Map<string, ModelBoard>()
  readonly players = new Map<string, ModelPlayer>()
  /** Stream of the claim on an external id -> player. */
  readonly externals = new Map<string, string>()
  /** Stream of a leaderboard's key -> the claim on it. */
  readonly keyClaims = new Map<string, { readonly board: string; readonly claim: string }>()
  /** Stream of the claim on a login or an address -> its owner and the id of its secret. */
  readonly claims = new Map<string, { readonly player: string; readonly secret: string }>()
  /** Secret -> the password stored with it. */
  readonly passwords = new Map<string, string>()
  readonly sessions = new Map<string, ModelSession>()
  /** Command -> number of sessions that it ended one by one. */
  readonly endedBy = new Map<string, number>()
  /** Command -> number of sessions that it reports as ended together. */
  readonly signedOutBy = new Map<string, number>()
  /** Deleted players, which the other maps no longer contain, with the secrets of all their sign-in methods. */
  readonly gone = new Map<string, readonly string[]>()
  readonly files = new ModelFiles()
  /** All submissions that are not deleted, in the order of the log. */
  sent: Sent[] = []
  /** Submission -> its number in the order of the log. */
  readonly #recorded = new Map<string, number>()

  record(sent: Sent): void {
    this.#recorded.set(sent.id, this.#recorded.size)
    this.sent.push(sent)
  }

  /** Whether a session is open, judged by itself and its player's sign-outs. */
  isOpen(session: string): boolean {
    const found = this.sessions.get(session)
    if (found === undefined || found.ended) return false
    return found.signOuts >= (this.players.get(found.player)?.signOuts ?? 0)
  }

  of(board: string, player: string): Sent[] {
    return this.sent.filter((one) => one.board === board && one.player === player)
  }

  /** The player's entries on a board: at most one on a unique board. */
  entriesOf(board: string, player: string): ModelEntry[] {
    const rules = this.rules(board)
    const mine = this.of(board, player)
    const inside = mine.filter(({ score }) => within(rules, score))
    if (!rules.unique) return inside.map((one) => ({ ...one, added: one.time, updated: one.time, shown: one.id }))
    const [first] = mine
    if (first === undefined || inside.length === 0) return []
    const best = inside.reduce((best, one) => (beats(rules, one, best) ? one : best))
    return [{ ...best, id: first.id, added: first.time, updated: best.time, shown: best.id }]
  }

  /** Every shown entry of a board, in rank order. */
  ranking(board: string): ModelEntry[] {
    const rules = this.rules(board)
    const players = new Set(this.sent.filter((one) => one.board === board).map(({ player }) => player))
    const entries = [...players].filter((one) => this.isShown(one)).flatMap((player) => this.entriesOf(board, player))
    return entries.sort((a, b) => this.#comparePlaces(rules, a, b))
  }

  isShown(player: string): boolean {
    return this.players.get(player)?.banned === null
  }

  /** The first of a player's entries in rank order, shown or hidden. */
  bestOf(board: string, player: string): ModelEntry {
    const rules = this.rules(board)
    const [best] = this.entriesOf(board, player).sort((a, b) => this.#comparePlaces(rules, a, b))
    if (best === undefined) throw new Error(`the model has no entry of ${player} on ${board}`)
    return best
  }

  /**
   * The rank of this entry, or the rank it would have, without its player's other entry on a unique board. On another
   * board the entry of the submission that it shows is this one.
   */
  rankOf(board: string, entry: Placed): number {
    const rules = this.rules(board)
    const isOwn = (other: Placed) => (rules.unique ? other.player === entry.player : other.shown === entry.shown)
    return (
      1 + this.ranking(board).filter((other) => !isOwn(other) && this.#comparePlaces(rules, other, entry) < 0).length
    )
  }

  /** A submission that is not recorded yet comes after all that are. */
  #comparePlaces(rules: ModelRules, a: Placed, b: Placed): number {
    const byScore = compareEntries(rules, a, b)
    if (byScore !== 0) return byScore
    const numberOf = ({ shown }: Placed) => this.#recorded.get(shown) ?? this.#recorded.size
    return numberOf(a) - numberOf(b)
  }

  rules(board: string): ModelRules {
    const found = this.boards.get(board)
    if (found === undefined) throw new Error(`the model has no board ${board}`)
    return found.rules
  }

  nameBeside(entry: Pick<Sent, 'player' | 'playerName'>): string | null {
    return entry.playerName ?? this.players.get(entry.player)?.name ?? null
  }
}

type Scored = Pick<Sent, 'score' | 'secondary'>

export function beats(rules: ModelRules, a: Scored, b: Scored): boolean {
  return compareEntries(rules, a, b) < 0
}

function compareEntries(rules: ModelRules, a: Scored, b: Scored): number {
  const byScore = compare(a.score, b.score) * (rules.ordering === 'asc' ? 1 : -1)
  if (byScore !== 0 || a.secondary === b.secondary) return byScore
  if (a.secondary === null) return 1
  if (b.secondary === null) return -1
  return compare(a.secondary, b.secondary) * (rules.secondaryOrdering === 'asc' ? 1 : -1)
}

export function within({ minScore, maxScore }: ModelRules, score: string): boolean {
  return (minScore === null || compare(score, minScore) >= 0) && (maxScore === null || compare(score, maxScore) <= 0)
}

/** Compares two decimals: negative, 0 or positive. */
export function compare(a: string, b: string): number {
  const difference = scaled(a) - scaled(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** The value as an integer of 10^-18. */
function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const magnitude = BigInt(whole + fraction.padEnd(18, '0'))
  return text.startsWith('-') ? -magnitude : magnitude
}
