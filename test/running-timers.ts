// Replaces the global timers by ones that never fire, and counts those that were started and not stopped.

export function replaceTimers(): { readonly running: ReadonlySet<unknown>; restore(): void } {
  const { setTimeout, clearTimeout } = globalThis
  const running = new Set<unknown>()
  const started = () => {
    const timer = { unref: () => timer }
    running.add(timer)
    return timer
  }
  Object.assign(globalThis, { setTimeout: started, clearTimeout: (timer: unknown) => running.delete(timer) })
  return { running, restore: () => void Object.assign(globalThis, { setTimeout, clearTimeout }) }
}
