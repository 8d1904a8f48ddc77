// Waiting in tests, on what must come to be.

/** Looks at each turn of the event loop; the test's own time limit ends what never comes. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((next) => setImmediate(next))
}

/** Whatever awaits `opened` continues once `open` is called. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Between two looks at what must come to be; nothing may rely on its length. */
export const pause = (ms: number): Promise<void> => new Promise((later) => setTimeout(later, ms))
