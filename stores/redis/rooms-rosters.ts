// The members of a node's rooms, derived from its inbox in order, so that Redis need not send the full member list
// for each join to a full room.

import type { Member } from '../contract/rooms.ts'

interface Roster {
  /** In the order of joining. */
  readonly members: Map<string, Member>
  /** Members and listeners of this node. */
  readonly own: Set<string>
}

export class Rosters {
  private readonly rosters = new Map<string, Roster>()

  /**
   * A member of this node joined; `found` is the member list from Redis, if it sent one. Returns all members, or null
   * if unknown.
   */
  sat(ref: string, own: Member, found: readonly Member[] | null): readonly Member[] | null {
    const roster = this.known(ref, found)
    if (roster === null) return null
    roster.members.set(own.member, own)
    roster.own.add(own.member)
    return [...roster.members.values()]
  }

  /** A listener of this node began to hear the room; otherwise as `sat`. */
  listening(ref: string, listener: string, found: readonly Member[] | null): readonly Member[] | null {
    const roster = this.known(ref, found)
    if (roster === null) return null
    roster.own.add(listener)
    return [...roster.members.values()]
  }

  unlistened(ref: string, listener: string): void {
    const own = this.rosters.get(ref)?.own
    if (own?.delete(listener) === true && own.size === 0) this.rosters.delete(ref)
  }

  /** Returns whether this node had listeners in the room. */
  ended(ref: string): boolean {
    return this.rosters.delete(ref)
  }

  private known(ref: string, found: readonly Member[] | null): Roster | null {
    if (found !== null)
      this.rosters.set(ref, { members: new Map(found.map((one) => [one.member, one])), own: new Set() })
    return this.rosters.get(ref) ?? null
  }

  joined(ref: string, member: Member): void {
    this.rosters.get(ref)?.members.set(member.member, member)
  }

  /** Returns whether this node still has members or listeners in the room, who must receive the event. */
  left(ref: string, member: string): boolean {
    const roster = this.rosters.get(ref)
    if (roster === undefined) return false
    roster.members.delete(member)
    roster.own.delete(member)
    if (roster.own.size > 0) return true
    this.rosters.delete(ref)
    return false
  }
}
