// Complete programs that use a new key: for the shell, with curl and openssl, and for TypeScript.

import { anyCovers } from '../../../domain/permissions.ts'
import type { MadeKey } from '../api.ts'
import { shellWord } from '../snippets.ts'

const CLIENT = '@scorebook/client'

/** A read that the key may make; null if there is none without further ids. */
function firstRead({ permissions }: MadeKey, game: string): string | null {
  const reads: readonly (readonly [string, string])[] = [
    ['details', ''],
    ['boards', 'lb/'],
    ['players', 'players/'],
    ['buckets', 'buckets/'],
  ]
  const read = reads.find(([area]) => anyCovers(permissions, `gm:${game}:${area}`))
  return read === undefined ? null : `/api/gm/${game}/${read[1]}`
}

/** DER of an Ed25519 private key before its seed (RFC 8410). */
const PKCS8 = '\\x30\\x2e\\x02\\x01\\x00\\x30\\x05\\x06\\x03\\x2b\\x65\\x70\\x04\\x22\\x04\\x20'

const HMAC = `signature=$(printf '%s' "$message" | openssl dgst -sha256 -mac HMAC -macopt "key:$SECRET" -binary | openssl base64 -A | tr '+/' '-_' | tr -d '=')`

const ED25519 = `folder=$(mktemp -d)
{ printf '${PKCS8}'; printf '%s=' "$SECRET" | tr -- '-_' '+/' | openssl base64 -d -A; } > "$folder/key"
printf '%s' "$message" > "$folder/message"
signature=$(openssl pkeyutl -sign -rawin -keyform DER -inkey "$folder/key" -in "$folder/message" | openssl base64 -A | tr '+/' '-_' | tr -d '=')
rm -r "$folder"`

/** Runs in bash as it is, and ends with a JSON answer. */
export function shellSnippet(key: MadeKey, game: string, origin: string): string {
  const read = firstRead(key, game)
  const last =
    read === null
      ? `printf '%s\\n' "$answer"`
      : `token=$(printf '%s' "$answer" | sed -E 's/.*"token":"([^"]*)".*/\\1/')
curl -sS -H "Authorization: Bearer $token" "$URL${read}"`
  return `URL=${shellWord(origin)}
PREFIX=${shellWord(key.prefix)}
SECRET=${shellWord(key.secret ?? key.private_key ?? '')}
challenge=$(curl -sS -X POST -H "X-API-Key: $PREFIX" "$URL/api/auth/jwt/challenge/")
request_id=$(printf '%s' "$challenge" | sed -E 's/.*"request_id":"([^"]*)".*/\\1/')
nonce=$(printf '%s' "$challenge" | sed -E 's/.*"nonce":"([^"]*)".*/\\1/')
unix_ts=$(date +%s)
message="$request_id.$nonce.$unix_ts."
${key.secret === undefined ? ED25519 : HMAC}
answer=$(curl -sS -X POST -H "X-API-Key: $PREFIX" -H 'Content-Type: application/json' -d "{\\"request_id\\":\\"$request_id\\",\\"challenge\\":\\"$signature\\",\\"unix_ts\\":$unix_ts}" "$URL/api/auth/jwt/redeem/")
${last}
`
}

/** A first program with the client package. */
export function typescriptSnippet(key: MadeKey, game: string, origin: string): string {
  const name = key.secret === undefined ? 'private_key' : 'secret'
  const own = JSON.stringify({ prefix: key.prefix, [name]: key.secret ?? key.private_key })
  if (key.kind === 'client') {
    return `import { connect } from ${JSON.stringify(CLIENT)}

const client = await connect({ baseUrl: ${JSON.stringify(origin)}, key: ${own} })
const player = await client.asGuest(${JSON.stringify(game)})
console.log(player.player.id)
`
  }
  return `import { connect } from ${JSON.stringify(`${CLIENT}/server`)}

const server = await connect({ baseUrl: ${JSON.stringify(origin)}, key: ${own} })
console.log(await server.${firstRead(key, game)?.endsWith('/lb/') ? 'leaderboards' : 'game'}(${JSON.stringify(game)}))
`
}
