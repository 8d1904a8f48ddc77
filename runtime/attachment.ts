// The Content-Disposition of a file that is saved under its name (RFC 6266).

import contentDisposition from 'content-disposition'

/**
 * An ASCII `filename`, and the name itself as `filename*` (RFC 8187) if it has other characters: browsers and file
 * stores treat such bytes in a header differently.
 */
export const attachmentOf = (name: string): string =>
  contentDisposition(name, { fallback: name.replace(/[^ -~]/gu, '_') })
