// given(what happened).when(a command).then(what follows): a decision on a history, compared exactly, and
// decided once more on what came of it.

import { expect } from 'chai'
import type { Aggregate, Decision, DomainEvent, Refusal, RefusalKind } from '../../domain/decider.ts'
import { refusalIn } from '../refusal-of.ts'

export const START_MS = Date.UTC(2026, 10, 21, 7, 5, 1, 123)

/** The time of the event at a revision: a second later than the one before. */
export const timeAt = (revision: number): string => new Date(START_MS + revision * 1000).toISOString()

interface Decided<Event> {
  /** Exactly these follow, and the same command again changes nothing more. */
  then(...events: Event[]): void
  /** Exactly these follow, and the same command again is refused with this code. */
  thenOnce(code: string, ...events: Event[]): void
  /** Exactly these follow, each time: a fact that may happen again. */
  thenEachTime(...events: Event[]): void
  /** The command is refused, and nothing follows. */
  refused(kind: RefusalKind, code: string, fields?: Readonly<Record<string, unknown>>): void
}

export function given<State, Event extends DomainEvent>(aggregate: Aggregate<State, Event>, ...history: Event[]) {
  return {
    when(decision: Decision<State, Event>): Decided<Event> {
      const before = snapshot(stateAfter(aggregate, history))
      const decide = (past: readonly Event[]) => decision(stateAfter(aggregate, past), past.length - 1)
      const decided = (events: readonly Event[]) => {
        expect(decide(history)).to.deep.equal(events)
        expect(snapshot(stateAfter(aggregate, history)), 'deciding changed the state').to.equal(before)
        return [...history, ...events]
      }
      return {
        // biome-ignore lint/suspicious/noThenProperty: it reads as given, when, then, and nobody awaits it
        then: (...events) => expect(decide(decided(events)), 'decided again').to.deep.equal([]),
        thenOnce: (code, ...events) => expect(refusalOf(() => decide(decided(events))).code).to.equal(code),
        thenEachTime: (...events) => expect(decide(decided(events)), 'decided again').to.deep.equal(events),
        refused(kind, code, fields = {}) {
          const refusal = refusalOf(() => decide(history))
          expect({ kind: refusal.kind, code: refusal.code }).to.deep.equal({ kind, code })
          expect(refusal.fields).to.deep.include(fields)
          expect(refusal.message).to.match(/\.$/)
        },
      }
    },
    /** The state that the history folds to. */
    state: () => stateAfter(aggregate, history),
  }
}

export function stateAfter<State, Event extends DomainEvent>(
  aggregate: Aggregate<State, Event>,
  history: readonly Event[],
): State {
  return history.reduce(
    (state, event, revision) => aggregate.evolve(state, event, { revision, time: timeAt(revision) }),
    aggregate.initial,
  )
}

function refusalOf(decide: () => unknown): Refusal {
  const refusal = refusalIn(decide)
  if (refusal === null) throw new Error('the command was accepted')
  return refusal
}

const snapshot = (state: unknown) => JSON.stringify(state, (_, value) => (value instanceof Set ? [...value] : value))
