// Reads the database name from MONGODB_URL and makes a form without secrets for messages. The driver reads the rest.

import { StoresFault } from '../contract/faults.ts'

const DEFAULT_DATABASE = 'scorebook'

/** Scheme, hosts without credentials, and database. The rest must not contain `@`: see `addressOf`. */
const ADDRESS = /^(mongodb(?:\+srv)?:\/\/)(?:[^/?@]*@)?([^/?@]+)(?:\/([^?@]*))?(?:\?[^@]*)?$/

export interface Address {
  /** Without user, password and options, for messages. */
  readonly shown: string
  readonly database: string
}

/** Throws a StoresFault, which does not contain the URL, if it is not a MongoDB URL. */
export function addressOf(url: string): Address {
  const [, scheme, hosts, path = ''] = ADDRESS.exec(url) ?? []
  // If a password contains an unencoded "/" or "?", the user and the start of the password look like a host and port
  // and must not be shown. An "@" then follows later.
  if (scheme === undefined || hosts === undefined) throw malformed()
  const database = path === '' ? DEFAULT_DATABASE : decoded(path)
  if (database.length > 38 || !/^[A-Za-z0-9_-]+$/.test(database)) {
    throw new StoresFault('The database in MONGODB_URL must be named by 1 to 38 letters, digits, "_" and "-"')
  }
  return { shown: `${scheme}${hosts}/${database}`, database }
}

/** Contains nothing of the URL. The driver's own message would repeat it with the password. */
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
