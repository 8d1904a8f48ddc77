// The reference model, written from the specification. It shares no code with the rules, folds and views that it
// judges.

import { ModelFiles } from './files.ts'
import { compareValues, isCounted, keptOf, type ModelRules, valuesOf } from './rules.ts'
import type { Joined, SeasonModel } from './seasons.ts'

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

type CreatedBoard = Pick<ModelBoard, 'game' | 'name' | 'rules'> & Partial<Pick<ModelBoard, 'key'>>

/** A leaderboard as it is created, without a description. */
export const newBoard = (created: CreatedBoard): ModelBoard => {
  return { key: null, description: '', archived: false, coming: null, wasRebuilt: false, ...created }
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

/** Half-open, by the time of submissions. */
export interface ModelWindow {
  readonly since: string | null
  readonly until: string | null
}

const EVER: ModelWindow = { since: null, until: null }

const isInside = ({ since, until }: ModelWindow, time: string): boolean =>
  (since === null || time >= since) && (until === null || time < until)

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
  /** Leaderboard -> its seasons; absent if it never had any. */
  readonly seasons = new Map<string, SeasonModel>()
  /** The submissions that are not deleted, by leaderboard and player, each in the order of the log. */
  readonly #sent = new Map<string, Map<string, Sent[]>>()
  /** Submission -> its number in the order of the log. */
  readonly #recorded = new Map<string, number>()

  /** Returns what is answered of the season that the submission joins; null: none is open. */
  record(sent: Sent): Joined | null {
    const record = () => {
      this.#recorded.set(sent.id, this.#recorded.size)
      const ofBoard = this.#sent.get(sent.board) ?? new Map<string, Sent[]>()
      this.#sent.set(sent.board, ofBoard.set(sent.player, [...this.of(sent.board, sent.player), sent]))
    }
    const seasons = this.seasons.get(sent.board)
    if (seasons !== undefined) return seasons.join(sent, record)
    record()
    return null
  }

  /** The number of a submission in the order of the log; of one that is not recorded yet, the next number. */
  numberOf = (submission: string): number => this.#recorded.get(submission) ?? this.#recorded.size

  /** Whether a session is open, judged by itself and its player's sign-outs. */
  isOpen(session: string): boolean {
    const found = this.sessions.get(session)
    if (found === undefined || found.ended) return false
    return found.signOuts >= (this.players.get(found.player)?.signOuts ?? 0)
  }

  /** The submissions of a player on a leaderboard that are not deleted, in the order of the log. */
  of(board: string, player: string): readonly Sent[] {
    return this.#sent.get(board)?.get(player) ?? []
  }

  /** All submissions that are not deleted, in the order of the log. */
  get sent(): Sent[] {
    const all = [...this.#sent.values()].flatMap((ofBoard) => [...ofBoard.values()].flat())
    return all.sort((a, b) => this.numberOf(a.id) - this.numberOf(b.id))
  }

  /** Deletes submissions. */
  remove(goes: (one: Sent) => boolean): void {
    for (const ofBoard of this.#sent.values()) {
      for (const [player, all] of ofBoard)
        ofBoard.set(
          player,
          all.filter((one) => !goes(one)),
        )
    }
  }

  /** The player's entries on a board: at most one on a unique board, of their submissions inside the window. */
  entriesOf(board: string, player: string, window = EVER): ModelEntry[] {
    const rules = this.rules(board)
    const mine = this.of(board, player)
    const counted = mine.filter((one) => isCounted(rules, one) && isInside(window, one.time))
    if (!rules.unique) return counted.map((one) => ({ ...one, added: one.time, updated: one.time, shown: one.id }))
    const [first] = mine
    if (first === undefined || counted.length === 0) return []
    const kept = keptOf(rules, counted)
    const { score, secondary } = valuesOf(rules, counted)
    return [{ ...kept, score, secondary, id: first.id, added: first.time, updated: kept.time, shown: kept.id }]
  }

  /** Every shown entry of a board, in rank order; with a window, of each player's submissions inside it. */
  ranking(board: string, window = EVER): ModelEntry[] {
    const rules = this.rules(board)
    const shown = [...(this.#sent.get(board)?.keys() ?? [])].filter((one) => this.isShown(one))
    const entries = shown.flatMap((player) => this.entriesOf(board, player, window))
    return entries.sort((a, b) => this.#comparePlaces(rules, a, b))
  }

  /** The entries of a board that were set inside a window, in rank order. */
  setInside(board: string, window: ModelWindow): ModelEntry[] {
    return this.ranking(board).filter(({ updated }) => isInside(window, updated))
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
    return compareValues(rules, a, b) || this.numberOf(a.shown) - this.numberOf(b.shown)
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
