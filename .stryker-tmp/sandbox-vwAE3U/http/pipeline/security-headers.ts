/** Headers that every answer of the API carries: name, value, name, value. */
export const SECURITY_HEADERS: readonly string[] = [
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'",
  'Vary',
  'Origin',
]
