// Reads the database name from MONGODB_URL and makes a form without secrets for messages. The driver reads the rest.

import { StoresFault } from '../contract/faults.ts'

const DEFAULT_DATABASE = 'scorebook'

/** The scheme, hosts without a name and password, and the database. What comes after holds no `@`: see `addressOf`. */
const ADDRESS = /^(mongodb(?:\+srv)?:\/\/)(?:[^/?@]*@)?([^/?@]+)(?:\/([^?@]*))?(?:\?[^@]*)?$/

export interface Address {
  /** Without name, password and options: fit for a message. */
  readonly shown: string
  readonly database: string
}

/** Throws a StoresFault, which does not repeat the URL, where it is none of MongoDB. */
export function addressOf(url: string): Address {
  const [, scheme, hosts, path = ''] = ADDRESS.exec(url) ?? []
  // With a "/" or "?" in a password that was not encoded, the name and the password's beginning look like a host and
  // port, and must not be shown: but then an "@" comes later.
  if (scheme === undefined || hosts === undefined) throw malformed()
  const database = path === '' ? DEFAULT_DATABASE : decoded(path)
  if (database.length > 38 || !/^[A-Za-z0-9_-]+$/.test(database)) {
    throw new StoresFault('The database in MONGODB_URL must be named by 1 to 38 letters, digits, "_" and "-"')
  }
  return { shown: `${scheme}${hosts}/${database}`, database }
}

/** It says nothing of what stands in the URL: the driver's own message repeats it, password and all. */
export function malformed(): StoresFault {
  return new StoresFault(
    'MONGODB_URL cannot be read: it must be mongodb://[name:password@]host[:port][,host…][/database][?options], ' +
      'with known options, and with every ":/?#[]@" of a name or password percent-encoded',
  )
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
