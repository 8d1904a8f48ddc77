// Finds faults in a compose file: resolves addresses, ports, volumes, variables and health checks against the other
// services, deploy/nginx.conf and server/config.ts. Returns one line per fault. The shipped file must have none.

import { existsSync, readFileSync } from 'node:fs'
import { BlockList } from 'node:net'
import { join } from 'node:path'
import { ConfigFault, readConfig, VARIABLES } from '../../server/config.ts'
import { type Compose, environmentOf, oursIn, ROOT, type Service } from './compose-file.ts'

/** Default ports of the images. */
const IMAGE_PORTS: Readonly<Record<string, readonly number[]>> = {
  'nginxinc/nginx-unprivileged': [8080],
  'eventstore/eventstore': [2113],
  mongo: [27_017],
  redis: [6379],
}

/** A host and port that one service expects another at. */
interface Reference {
  readonly by: string
  readonly host: string
  readonly port: number
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** `compose` with the variables of an .env file; `nginx` is the text of deploy/nginx.conf. */
export function composeFaults(compose: Compose, nginx: string): string[] {
  return [
    ...addressFaults(compose),
    ...referenceFaults(compose, nginx),
    ...volumeFaults(compose),
    ...environmentFaults(compose),
    ...healthFaults(compose),
  ]
}

const addressesOf = ({ networks }: Service): Record<string, string> =>
  Array.isArray(networks)
    ? {}
    : Object.fromEntries(
        Object.entries(networks).flatMap(([network, options]) =>
          options?.ipv4_address === undefined ? [] : [[network, options.ipv4_address]],
        ),
      )

const networksOf = ({ networks }: Service): string[] =>
  Array.isArray(networks) ? [...networks] : Object.keys(networks)

/** The ports that a service listens on, from its variables or its image. */
function portsOf(service: Service): number[] {
  const { PORT, ADMIN_PORT, VGW_PORT } = environmentOf(service)
  if (service.build !== undefined) return [Number(PORT), Number(ADMIN_PORT)]
  if (VGW_PORT !== undefined) return [Number(VGW_PORT.replace(/^.*:/, ''))]
  return [...(IMAGE_PORTS[service.image.replace(/:[^:/]*$/, '')] ?? [])]
}

function addressFaults({ services, networks }: Compose): string[] {
  const faults: string[] = []
  const taken = new Map<string, string>()
  for (const [name, service] of Object.entries(services)) {
    for (const network of networksOf(service)) {
      if (!(network in networks)) faults.push(`${name}: there is no network ${network}`)
    }
    for (const [network, address] of Object.entries(addressesOf(service))) {
      const [{ subnet = '', gateway = '' } = {}] = networks[network]?.ipam?.config ?? []
      const inside = new BlockList()
      const [base = '', bits = ''] = subnet.split('/')
      if (base !== '') inside.addSubnet(base, Number(bits))
      if (!inside.check(address)) faults.push(`${name}: ${address} is not in ${network} (${subnet})`)
      const other = address === gateway ? 'its gateway' : taken.get(`${network} ${address}`)
      if (other !== undefined) faults.push(`${name}: ${network} gives ${address} to ${other} too`)
      taken.set(`${network} ${address}`, name)
    }
  }
  return faults
}

/** The URLs of other containers in a service's environment. */
function urlsOf(name: string, service: Service): Reference[] {
  return Object.entries(environmentOf(service)).flatMap(([variable, value]) => {
    if (!/^[a-z+]+:\/\//.test(value) || variable === 'PUBLIC_URL' || variable === 'SMTP_URL') return []
    const { hostname, port, protocol } = new URL(value)
    return [{ by: `${name} ${variable}`, host: hostname, port: Number(port || DEFAULT_PORTS[protocol]) }]
  })
}

function proxiedBy(nginx: string): Reference[] {
  return [...nginx.matchAll(/(?:server |proxy_pass http:\/\/)(\d[\d.]+):(\d+)/g)].map(([, host = '', port]) => ({
    by: 'deploy/nginx.conf',
    host,
    port: Number(port),
  }))
}

function referenceFaults({ services }: Compose, nginx: string): string[] {
  const all = Object.entries(services)
  const faults: string[] = []
  const check = ({ by, host, port }: Reference, from: readonly string[]) => {
    const found = all.filter(([name, service]) => name === host || Object.values(addressesOf(service)).includes(host))
    if (found.length !== 1) faults.push(`${by}: ${host} is ${found.map(([name]) => name).join(' and ') || 'nobody'}`)
    for (const [name, service] of found) {
      if (!portsOf(service).includes(port)) faults.push(`${by}: ${name} does not listen on ${port}`)
      if (!networksOf(service).some((network) => from.includes(network))) faults.push(`${by}: cannot reach ${name}`)
    }
  }
  for (const [name, service] of all) for (const url of urlsOf(name, service)) check(url, networksOf(service))
  const proxy = services.nginx
  if (proxy !== undefined) for (const one of proxiedBy(nginx)) check(one, networksOf(proxy))
  for (const [name, service] of all) {
    for (const published of service.ports ?? []) {
      const inside = Number(published.split(':').at(-1))
      if (!portsOf(service).includes(inside)) faults.push(`${name}: publishes ${inside}, where it does not listen`)
    }
    for (const [needed] of Object.entries(service.depends_on ?? {})) {
      if (!(needed in services)) faults.push(`${name}: waits for ${needed}, which is not there`)
    }
  }
  return faults
}

/** Path in the container -> mounted volume or file. */
const mountsOf = ({ volumes = [] }: Service): Map<string, string> =>
  new Map(volumes.map((volume) => volume.split(':')).map(([source = '', target = '']) => [target, source]))

function volumeFaults({ services, volumes, secrets }: Compose): string[] {
  const faults: string[] = []
  const used = new Map<string, string>()
  for (const [name, service] of Object.entries(services)) {
    for (const [, source] of mountsOf(service)) {
      if (source.startsWith('.')) {
        if (!existsSync(join(ROOT, source))) faults.push(`${name}: ${source} is not there`)
        continue
      }
      if (!(source in volumes)) faults.push(`${name}: there is no volume ${source}`)
      if (used.has(source)) faults.push(`${name}: ${used.get(source)} keeps its data in ${source} too`)
      used.set(source, name)
    }
    for (const { source } of service.secrets ?? []) {
      if (!(source in secrets)) faults.push(`${name}: there is no secret ${source}`)
    }
  }
  for (const name of Object.keys(volumes)) if (!used.has(name)) faults.push(`no service uses the volume ${name}`)
  return faults
}

function environmentFaults(compose: Compose): string[] {
  return oursIn(compose).flatMap(([name, service]) => {
    const environment = environmentOf(service)
    const unknown = Object.keys(environment).filter((variable) => !VARIABLES.includes(variable))
    const faults = unknown.map((variable) => `${name}: the program knows no variable ${variable}`)
    try {
      readConfig(environment)
    } catch (failure) {
      if (!(failure instanceof ConfigFault)) throw failure
      faults.push(...failure.faults.map((fault) => `${name}: ${fault}`))
    }
    return faults
  })
}

/** A health check must call a port of its own container, and use only scripts and variables that the container has. */
function healthFaults({ services }: Compose): string[] {
  return Object.entries(services).flatMap(([name, service]) => {
    const words = (service.healthcheck?.test ?? []).join(' ')
    const mounts = mountsOf(service)
    const scripts = [...words.matchAll(/(?:^| )(\/[\w./-]+\.(?:sh|js))/g)].map(([, path = '']) => path)
    const faults = scripts.filter((path) => !mounts.has(path)).map((path) => `${name}: its health check has no ${path}`)
    const texts = scripts.flatMap((path) => {
      const source = mounts.get(path) ?? ''
      return source !== '' && existsSync(join(ROOT, source)) ? [readFileSync(join(ROOT, source), 'utf8')] : []
    })
    const text = [words, ...texts].join('\n')
    for (const [, host = '', port] of text.matchAll(/http:\/\/([\w.]+):(\d+)/g)) {
      if (host !== '127.0.0.1') faults.push(`${name}: its health check asks ${host}`)
      if (!portsOf(service).includes(Number(port))) faults.push(`${name}: its health check asks ${port}`)
    }
    const known = environmentOf(service)
    for (const [, variable = ''] of text.matchAll(/\$\{?([A-Z][A-Z0-9_]+)/g)) {
      if (!(variable in known)) faults.push(`${name}: its health check has no variable ${variable}`)
    }
    return faults
  })
}
