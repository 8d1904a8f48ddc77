// Reads compose.yaml as Docker Compose does: merges it and substitutes the variables of an .env file.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

export interface Service {
  readonly image: string
  /** Set for images that are built from this repository. */
  readonly build?: string
  readonly user?: string
  readonly restart: string
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string | number>>
  readonly healthcheck?: { readonly test?: readonly string[]; readonly disable?: boolean }
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly networks: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string } | null>>
  readonly volumes?: readonly string[]
  readonly secrets?: readonly { readonly source: string }[]
  readonly ports?: readonly string[]
  readonly profiles?: readonly string[]
  readonly cap_drop?: readonly string[]
  readonly read_only?: boolean
  readonly mem_limit?: string
}

export interface Network {
  readonly internal?: boolean
  readonly ipam?: { readonly config?: readonly { readonly subnet?: string; readonly gateway?: string }[] }
}

export interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<Record<string, Network | null>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, { readonly environment: string }>>
}

/**
 * `variables` null: no substitution. Throws if a required variable is missing. `name`: path below the repository root.
 */
export function composeFile(variables: Readonly<Record<string, string>> | null, name = 'compose.yaml'): Compose {
  const put = (value: unknown): unknown => {
    if (typeof value === 'string') return variables === null ? value : interpolated(value, variables)
    if (Array.isArray(value)) return value.map(put)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, put(one)]))
  }
  return put(parse(read(name), { merge: true })) as Compose
}

function interpolated(text: string, variables: Readonly<Record<string, string>>): string {
  const pattern = /\$\$|\$\{(\w+)(?::\?([^}]*)|(:-))?\}|\$/g
  return text.replace(pattern, (found, name: string | undefined, why = 'not set', optional?: string) => {
    if (found === '$$') return '$'
    if (name === undefined) throw new Error(`"${text}" has a $ that stands for nothing`)
    const value = variables[name] ?? ''
    if (value === '' && optional === undefined) throw new Error(`${name}: ${why}`)
    return value
  })
}

/** The variables of .env.example with their values. */
export function exampleVariables(): Record<string, string> {
  const lines = read('.env.example')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

/** Variables that may be empty in .env. */
export const OPTIONAL: readonly string[] = ['SMTP_URL']

/** The same, with generated secrets where the operator must set them. */
export function filledVariables(): Record<string, string> {
  const filled = Object.entries(exampleVariables()).map(([name, value]): [string, string] => {
    if (value !== '' || OPTIONAL.includes(name)) return [name, value]
    return [name, randomBytes(32).toString(name === 'MASTER_KEY' ? 'base64' : 'hex')]
  })
  return Object.fromEntries(filled)
}

export const environmentOf = ({ environment = {} }: Service): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, String(value)]))

/** The services that are built from this repository, by name. */
export const oursIn = ({ services }: Compose): [string, Service][] =>
  Object.entries(services).filter(([, { build }]) => build !== undefined)
