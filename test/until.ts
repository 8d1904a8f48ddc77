// Waiting in tests, on what must come to be. The test's own time limit ends what never comes.

/** One turn of the event loop. */
export const turn = (): Promise<void> => new Promise((next) => setImmediate(next))

/** Between two looks at what must come to be; nothing may rely on its length. */
export const pause = (ms: number): Promise<void> => new Promise((later) => setTimeout(later, ms))

/** Looks at each turn of the event loop. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn()
}

/** Looks every 5 ms: for answers of a server, and what is not in this process. */
export async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(5)
}

/** Whatever awaits `opened` continues once `open` is called. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
