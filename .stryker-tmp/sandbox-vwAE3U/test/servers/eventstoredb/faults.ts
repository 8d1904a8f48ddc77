// The faults that are switched on now. Those that count are used up one by one.

export interface Faults {
  loseAnswers: number
  loseRequests: number
  conflicts: number
  /** Calls that end with "Exception was thrown by handler." */
  throws: number
  /** Milliseconds that every call is held. */
  holdMs: number
  /** Whether subscriptions opened now are silent from the start. */
  stallNew: boolean
}

export const noFaults = (): Faults => ({
  loseAnswers: 0,
  loseRequests: 0,
  conflicts: 0,
  throws: 0,
  holdMs: 0,
  stallNew: false,
})

/** Uses up one of a counted fault; whether there was one. */
export function takeOne(faults: Faults, kind: 'loseAnswers' | 'loseRequests' | 'conflicts' | 'throws'): boolean {
  if (faults[kind] === 0) return false
  faults[kind] -= 1
  return true
}

/** Does it now, or after the time every call is held. */
export function held(faults: Faults, act: () => void): void {
  if (faults.holdMs === 0) act()
  else setTimeout(act, faults.holdMs)
}
