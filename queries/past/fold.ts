// A board's entries folded from its history under one set of rules, by the domain's own judgement of what beats what and what
// lies within bounds. It keeps the entries in rank order and by player, nothing else: some 150 bytes an entry, once laid side by side.

import { type StoredEvent, shaped } from '../../domain/event.ts'
import type { Rules } from '../../domain/leaderboard.ts'
import {
  beats,
  bestOf,
  place,
  type ScoreEvent,
  type ScoreSubmittedData,
  submissionsLeft,
  within,
} from '../../domain/score.ts'
import { encodeMember } from '../../ranking/member.ts'
import { fieldsOfMember } from '../../ranking/member-fields.ts'
import { SortedBlocks } from '../../ranking/sorted-blocks.ts'
import { endOf, firstOf, isBare, lineOf, type Own, ownOf, placeLine, placeOf } from './records.ts'
import type { Slices } from './slices.ts'

/** Entries of one player taken at once. */
const RUN = 256

/** What one event made of its player's members. */
export interface Change {
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

const NOTHING: Change = { removed: [], added: [] }

/** Gives the stream of an event up to and with it, where a deletion's own words do not say what is left. */
export type Recall = (event: StoredEvent) => Promise<readonly StoredEvent[]>

export class BoardFold {
  readonly rules: Rules
  /** Lines of those that are shown, in rank order (records.ts). */
  ranked = new SortedBlocks()
  /** Lines of all entries, by player and member. */
  own = new SortedBlocks()
  readonly hidden: Set<string>
  /** Characters in all lines. */
  characters = 0
  /** How often an entry came into the ranking or went out of it. */
  changes = 0

  constructor(rules: Rules, hidden: Iterable<string> = []) {
    this.rules = rules
    this.hidden = new Set(hidden)
  }

  /** Takes a submission or a deletion; events of one player come in their order. A promise only where it must read. */
  take(event: StoredEvent, recall: Recall): Change | Promise<Change> {
    const { type, data } = shaped<ScoreEvent>(event)
    if (type === 'ScoreSubmitted') return this.#submitted(event, data)
    const player = event.meta.player ?? ''
    if (data.upTo !== null) return this.#removedAll(player)
    return this.rules.unique ? this.#standAnew(event, player, recall) : this.#removedOne(player, data.id)
  }

  #submitted({ meta, revision }: StoredEvent, data: ScoreSubmittedData): Change {
    const { rules } = this
    const { player = '' } = meta
    const { score, secondary } = data
    const timeMs = Date.parse(meta.time)
    const isIn = within(rules, score)
    const bare = isBare(data)
    if (!rules.unique) {
      if (!isIn) return NOTHING
      const member = encodeMember({ score, secondary, timeMs, id: data.id }, rules)
      return this.#put(null, { player, member, revision, bare, addedMs: null, id: data.id })
    }
    const held = this.firstOf(player)
    if (held !== null && !isIn) return NOTHING
    if (held !== null && held.member !== null && !beats(rules, data, { ...this.fields(held.member), id: held.id })) {
      return NOTHING
    }
    const id = held?.id ?? data.id
    const member = isIn ? encodeMember({ score, secondary, timeMs, id }, rules) : null
    return this.#put(held, {
      player,
      member,
      revision,
      bare,
      addedMs: held === null ? timeMs : addedOf(this, held),
      id,
    })
  }

  /** A unique board's entry as what is left of the player's submissions makes it. */
  async #standAnew(event: StoredEvent, player: string, recall: Recall): Promise<Change> {
    const held = this.firstOf(player)
    if (held === null) return NOTHING
    const left = submissionsLeft(await recall(event)).map((past) => ({
      ...place(shaped<ScoreSubmittedData>(past.data), { revision: past.revision, time: past.meta.time }),
      bare: isBare(shaped<ScoreSubmittedData>(past.data)),
    }))
    const [first] = left
    if (first === undefined) return this.#removedAll(player)
    const best = bestOf(this.rules, left)
    const { id } = first
    const { revision, bare } = best ?? first
    const member = best === null ? null : encodeMember({ ...best, timeMs: Date.parse(best.time), id }, this.rules)
    return this.#put(held, { player, member, revision, bare, addedMs: Date.parse(first.time), id })
  }

  #removedAll(player: string): Change {
    const removed: string[] = []
    for (const taken of this.removing(player)) removed.push(...taken)
    return { removed, added: [] }
  }

  /** O(entries of the player). */
  #removedOne(player: string, id: string): Change {
    const ending = `${id} `
    for (const lines of this.#linesOf(player)) {
      const line = lines.find((one) => one.includes(ending) && ownOf(one).id === id)
      if (line === undefined) continue
      this.#cut(line)
      return { removed: [ownOf(line).member ?? ''], added: [] }
    }
    return NOTHING
  }

  #put(held: Own | null, made: Own): Change {
    if (held !== null) this.#cut(lineOf(held))
    const line = lineOf(made)
    if (this.own.add(line)) this.characters += line.length
    const { member, player } = made
    if (member !== null && !this.hidden.has(player)) this.#rank(member, player)
    return {
      removed: held === null || held.member === null ? [] : [held.member],
      added: member === null ? [] : [member],
    }
  }

  #rank(member: string, player: string): void {
    if (!this.ranked.add(placeLine(member, player))) return
    this.characters += member.length + player.length + 1
    this.changes++
  }

  #unrank(member: string, player: string): void {
    if (!this.ranked.remove(placeLine(member, player))) return
    this.characters -= member.length + player.length + 1
    this.changes++
  }

  #cut(line: string): void {
    if (this.own.remove(line)) this.characters -= line.length
    const { member, player } = ownOf(line)
    if (member !== null) this.#unrank(member, player)
  }

  /** A player's lines in runs, read from the first one on each time: from the last place where `from` is kept. */
  *#linesOf(player: string): Generator<readonly string[]> {
    const begin = this.own.before(firstOf(player))
    const end = this.own.before(endOf(player))
    for (let at = begin; at < end; at += RUN) yield this.own.range(at, Math.min(RUN, end - at))
  }

  /** Takes away all of a player's entries, some at each step, and gives their members. */
  *removing(player: string): Generator<readonly string[]> {
    for (;;) {
      const begin = this.own.before(firstOf(player))
      const lines = this.own.range(begin, Math.min(RUN, this.own.before(endOf(player)) - begin))
      if (lines.length === 0) return
      for (const line of lines) this.#cut(line)
      yield lines.map((line) => ownOf(line).member).filter((member) => member !== null)
    }
  }

  /** Shows or hides all of a player's entries, some at each step. */
  *showing(player: string, isShown: boolean): Generator<void> {
    if (isShown) this.hidden.delete(player)
    else this.hidden.add(player)
    for (const lines of this.#linesOf(player)) {
      for (const line of lines) {
        const { member } = ownOf(line)
        if (member === null) continue
        if (isShown) this.#rank(member, player)
        else this.#unrank(member, player)
      }
      yield
    }
  }

  /** Lays its lines side by side: what came in any order takes nearly twice the memory. Nothing may come meanwhile. */
  async compact(slices: Slices): Promise<void> {
    this.ranked = await compacted(this.ranked, slices)
    this.own = await compacted(this.own, slices)
  }

  /** How many entries a player has, shown or not. O(log n). */
  entriesOf(player: string): number {
    return this.own.before(endOf(player)) - this.own.before(firstOf(player))
  }

  /** Of a player's entries the best one, shown or not; or the record of one that is outside the bounds. */
  firstOf(player: string): Own | null {
    const [line] = this.own.range(this.own.before(firstOf(player)), 1)
    return line === undefined || !line.startsWith(firstOf(player)) ? null : ownOf(line)
  }

  /** The record of an entry. */
  find(player: string, member: string): Own | null {
    const begin = firstOf(player, member)
    const [line] = this.own.range(this.own.before(begin), 1)
    return line?.startsWith(begin) === true ? ownOf(line) : null
  }

  /** A player's entries that are shown, best first. */
  shownOf(player: string): Own[] {
    if (this.hidden.has(player)) return []
    return [...this.#linesOf(player)]
      .flat()
      .map(ownOf)
      .filter(({ member }) => member !== null)
  }

  /** The entries at these places. */
  at(offset: number, limit: number): Own[] {
    return this.ranked.range(offset, limit).map((line) => {
      const { member, player } = placeOf(line)
      const own = this.find(player, member)
      if (own === null) throw new Error(`an entry of player ${player} is ranked and not kept`)
      return own
    })
  }

  fields = (member: string) => fieldsOfMember(member, this.rules)
}

async function compacted(lines: SortedBlocks, slices: Slices): Promise<SortedBlocks> {
  const made = new SortedBlocks()
  for (let offset = 0; offset < lines.size; offset += RUN) {
    made.addLast(lines.range(offset, RUN))
    if (slices.due) await slices.turn()
  }
  return made
}

/** Unix milliseconds. */
export function addedOf(fold: BoardFold, { addedMs, member }: Own): number {
  return addedMs ?? fold.fields(member ?? '').timeMs
}
