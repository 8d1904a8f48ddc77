// The enabled faults. Counted faults are used up one by one.

export interface Faults {
  loseAnswers: number
  loseRequests: number
  conflicts: number
  /** Calls that end with "Exception was thrown by handler." */
  throws: number
  /** Milliseconds by which every call is delayed. */
  delayMs: number
  /** Whether subscriptions opened now are silent from the start. */
  stallNew: boolean
}

export const noFaults = (): Faults => ({
  loseAnswers: 0,
  loseRequests: 0,
  conflicts: 0,
  throws: 0,
  delayMs: 0,
  stallNew: false,
})

/** Uses up one of a counted fault; false if there was none. */
export function takeOne(faults: Faults, kind: 'loseAnswers' | 'loseRequests' | 'conflicts' | 'throws'): boolean {
  if (faults[kind] === 0) return false
  faults[kind] -= 1
  return true
}

/** Runs it now, or after the configured delay. */
export function held(faults: Faults, act: () => void): void {
  if (faults.delayMs === 0) act()
  else setTimeout(act, faults.delayMs)
}
