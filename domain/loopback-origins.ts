// The origins of one server on this machine: to a browser, each of its names is another origin.

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** The same scheme and port on the other names of this machine; none for an origin elsewhere. */
export function otherSpellings(origin: string): string[] {
  if (!URL.canParse(origin)) return []
  const { protocol, hostname, port } = new URL(origin)
  if (!LOOPBACK.includes(hostname)) return []
  const end = port === '' ? '' : `:${port}`
  return LOOPBACK.filter((name) => name !== hostname).map((name) => `${protocol}//${name}${end}`)
}
