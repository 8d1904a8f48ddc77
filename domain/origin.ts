// Web origins (RFC 6454), as browsers send them: a stored one is compared as text with the header of a request.

/** Pages in sandboxed frames and in files. */
const OPAQUE = 'null'
const AUTHORITY = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#@]*@)?([^/?#@]*)/
/** Of a scheme other than http and https, such as `capacitor://localhost`. */
const OTHER_HOST = /^[a-z0-9.-]+(?::([1-9][0-9]{0,4}))?$/
const PORT_MAX = 65_535
const PORT_ZERO = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*:0+(?=[/?#]|$)/i

const NOT_AN_ORIGIN =
  'must be an origin as browsers send it, such as https://play.example.com: scheme, host, port if not the usual one'

export const ORIGIN_MAX_CHARACTERS = 255

/** What is wrong with an origin to be allowed, with its correct spelling if it has one; null if nothing is. */
export function originFault(text: string): string | null {
  if (text.length > ORIGIN_MAX_CHARACTERS) return `must be at most ${ORIGIN_MAX_CHARACTERS} characters`
  if (isOrigin(text)) return null
  if (text.includes('*')) return 'must not contain *: wildcards match no page, so name each origin'
  if (PORT_ZERO.test(text.trim())) return 'must not have port 0, which no page has: give the port of the page'
  const correct = spellings(text.trim()).find(isOrigin)
  return correct === undefined ? NOT_AN_ORIGIN : `must be an origin as browsers send it: write ${correct}`
}

function isOrigin(text: string): boolean {
  if (text === OPAQUE) return true
  const [whole, scheme = '', host = ''] = AUTHORITY.exec(text) ?? []
  // A page of a file has the origin `null`.
  if (whole !== text || `${scheme}://${host}` !== text || scheme === 'file' || text.includes('*')) return false
  if (PORT_ZERO.test(text)) return false
  if (scheme === 'http' || scheme === 'https') return URL.canParse(text) && new URL(text).origin === text
  const found = OTHER_HOST.exec(host)
  return found !== null && Number(found[1] ?? 1) <= PORT_MAX && !hasDefaultPort(text)
}

/** True for schemes whose port the URL standard knows, such as `ws://host:80`. */
const hasDefaultPort = (text: string): boolean => URL.canParse(text) && !new URL(text).href.startsWith(text)

/** What may have been meant. */
function spellings(text: string): string[] {
  const lower = text.toLowerCase()
  if (lower === OPAQUE || lower.startsWith('file:')) return [OPAQUE]
  const isLoopback = LOOPBACK.some((name) => lower === name || lower.startsWith(`${name}:`))
  const withScheme = text.includes('://') ? text : `${isLoopback ? 'http' : 'https'}://${text.replace(/^\/\//, '')}`
  const [, scheme = '', host = ''] = AUTHORITY.exec(withScheme.toLowerCase()) ?? []
  const isWeb = scheme === 'http' || scheme === 'https'
  return [...(isWeb && URL.canParse(withScheme) ? [new URL(withScheme).origin] : []), `${scheme}://${host}`]
}

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
