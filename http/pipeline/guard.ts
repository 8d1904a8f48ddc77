// Headers that every answer of the API carries.

export const GUARD = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'",
  Vary: 'Origin',
} as const
