// Checks compose.yaml without a container engine: it sets only known variables, waits only for services with health
// checks, and contains no secret.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { VERSION } from '../../runtime/version.ts'
import { readConfig, VARIABLES } from '../../server/config.ts'
import { addressOf } from '../../stores/s3/address.ts'
import {
  composeFile,
  environmentOf,
  exampleVariables,
  filledVariables,
  OPTIONAL,
  oursIn,
  ROOT,
  read,
  type Service,
} from './compose-file.ts'
import { lastStage } from './dockerfile.ts'

const written = composeFile(null)
const filled = composeFile(filledVariables())
const services = Object.entries(written.services)

const addressIn = (service: Service | undefined, network: string): string | undefined =>
  service === undefined || Array.isArray(service.networks)
    ? undefined
    : (service.networks as Record<string, { ipv4_address?: string }>)[network]?.ipv4_address

describe('compose.yaml', () => {
  it('runs two API nodes, two projectors and a rooms node', () => {
    const roles = oursIn(written).map(([name, service]) => [name, environmentOf(service).ROLES])
    expect(roles).to.deep.equal([
      ['api-1', 'api'],
      ['api-2', 'api'],
      ['projector-1', 'projector'],
      ['projector-2', 'projector'],
      ['rooms-1', 'rooms'],
      ['operator', undefined],
    ])
    const stored = (service: Service) => {
      const { ROLES: _, TRUSTED_PROXIES: __, API_URL: ___, ...environment } = environmentOf(service)
      return environment
    }
    for (const [name, service] of oursIn(written)) {
      expect(stored(service), name).to.deep.equal(stored(written.services['api-1'] as Service))
    }
  })

  it('sets only known variables, to values that are valid in production', () => {
    for (const [name, service] of oursIn(filled)) {
      const environment = environmentOf(service)
      const known = new Set(VARIABLES)
      expect(
        Object.keys(environment).filter((one) => !known.has(one)),
        name,
      ).to.deep.equal([])
      const config = readConfig(environment)
      expect(config.production, name).to.equal(true)
      expect(config.servers, name).to.not.equal(null)
    }
  })

  it('requires exactly the variables of .env.example', () => {
    const asked = new Set([...read('compose.yaml').matchAll(/(?<!\$)\$\{(\w+)/g)].map(([, name = '']) => name))
    const ofSecrets = Object.values(written.secrets).map(({ environment }) => environment)
    expect([...asked, ...ofSecrets].sort()).to.deep.equal(Object.keys(exampleVariables()).sort())
    expect(() => composeFile(exampleVariables())).to.throw('fill in .env')
    for (const [found, name = ''] of read('compose.yaml').matchAll(/(?<!\$)\$\{(\w+)[^}]*\}/g)) {
      expect(found).to.match(OPTIONAL.includes(name) ? /:-\}$/ : /:\?fill in \.env\}$/)
    }
  })

  it('contains no secret', () => {
    for (const [name, service] of services) {
      for (const [variable, value] of Object.entries(environmentOf(service))) {
        if (/PASSWORD|KEY(?!_ID)|SECRET|AUTH/.test(variable))
          expect(value, `${name} ${variable}`).to.match(/^\$\{\w+:\?[^}]*\}$/)
        const [, password = ''] = /:\/\/\w*:(\$\{[^}]*\}|[^@]*)@/.exec(value) ?? []
        if (password !== '') expect(password, `${name} ${variable}`).to.match(/^\$\{\w+:\?[^}]*\}$/)
      }
      const passwords = (service.command ?? []).filter((word) => word.startsWith('>'))
      for (const word of passwords) expect(word).to.match(/^>\$\{\w+:\?[^}]*\}$/)
    }
    for (const [name, value] of Object.entries(exampleVariables())) {
      expect(value, name).to.equal(name === 'PUBLIC_URL' ? 'https://scores.example.com' : '')
    }
    expect(read('.gitignore').split('\n')).to.include('.env')
  })

  it('waits only for existing services with a health check', () => {
    const isChecked = lastStage().some(({ name }) => name === 'HEALTHCHECK')
    for (const [name, { depends_on: needed = {} }] of services) {
      for (const [other, { condition }] of Object.entries(needed)) {
        expect(condition, `${name} ${other}`).to.equal('service_healthy')
        const service = written.services[other]
        const checked = service?.build === undefined ? service?.healthcheck?.test !== undefined : isChecked
        expect(checked && service?.healthcheck?.disable !== true, `${name} ${other}`).to.equal(true)
      }
    }
    expect(startOrder().indexOf('projector-1')).to.be.below(startOrder().indexOf('api-1'))
  })

  it('pins every image to a version', () => {
    for (const [name, { image }] of services) {
      expect(image, name).to.match(/^[a-z0-9./-]+:v?(\d+\.\d+\.\d+(-[a-z0-9.-]+)?)$/)
    }
    for (const [, { image }] of oursIn(written)) expect(image).to.equal(`scorebook:${VERSION}`)
  })

  it('gives our services no unneeded privileges', () => {
    for (const [name, service] of [...oursIn(written), ['nginx', written.services.nginx as Service] as const]) {
      const { cap_drop: dropped, read_only: isReadOnly, user } = service
      expect([dropped, isReadOnly, user], name).to.deep.equal([['ALL'], true, undefined])
    }
  })

  it('publishes only nginx, on loopback, and isolates the stores in their own network', () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => [name, port]))
    expect(published).to.deep.equal([['nginx', '127.0.0.1:8080:8080']])
    expect(written.networks.back?.internal).to.equal(true)
    for (const store of ['eventstore', 'mongodb', 'redis']) {
      expect(written.services[store]?.networks, store).to.deep.equal(['back'])
    }
    expect(Object.keys(written.services.nginx?.networks ?? {})).to.deep.equal(['front'])
    expect(Object.keys(written.services.s3?.networks ?? {})).to.deep.equal(['front', 'back'])
  })

  it('restarts services, limits their resources, and persists their data', () => {
    for (const [name, { restart, mem_limit: limit, profiles }] of services) {
      expect(restart, name).to.equal(profiles === undefined ? 'unless-stopped' : 'no')
      expect(limit, name).to.match(/^\d+[mg]$/)
    }
    const mounts = services.flatMap(([, { volumes = [] }]) => volumes.map((one) => one.split(':')[0] ?? ''))
    const [files, named] = [mounts.filter((one) => one.startsWith('./')), mounts.filter((one) => !one.startsWith('.'))]
    expect(files.filter((one) => !existsSync(join(ROOT, one)))).to.deep.equal([])
    expect(named.sort()).to.deep.equal(Object.keys(written.volumes).sort())
    for (const [name, { secrets = [] }] of services) {
      for (const { source } of secrets) expect(written.secrets, name).to.have.property(source)
    }
  })

  it('agrees with nginx on the addresses of the API nodes, and with them on the trusted proxy', () => {
    const nginx = read('deploy/nginx.conf')
    const upstream = [...nginx.matchAll(/^ +server ([\d.]+:\d+) /gm)].map(([, one]) => one)
    const nodes = ['api-1', 'api-2', 'rooms-1'].map((name) => written.services[name])
    expect(upstream).to.deep.equal(
      nodes.map((node) => `${addressIn(node, 'front')}:${environmentOf(node as Service).PORT}`),
    )
    expect(nginx).to.match(/^ +listen 8080 /m)
    const { trustedProxies } = readConfig(environmentOf(filled.services['api-1'] as Service))
    expect(trustedProxies?.(addressIn(written.services.nginx, 'front') ?? '')).to.equal(true)
    for (const node of nodes) expect(trustedProxies?.(addressIn(node, 'front') ?? '')).to.equal(false)
  })

  it('agrees with nginx and the S3 server on the file address, and gives their key access to one bucket', () => {
    const S3_URL = environmentOf(filled.services['api-1'] as Service).S3_URL ?? ''
    const { endpoint, links, bucket, prefix, inPath, accessKeyId, secretAccessKey } = addressOf(S3_URL)
    expect([endpoint.host, links.origin, prefix, inPath]).to.deep.equal([
      's3:9000',
      environmentOf(filled.services['api-1'] as Service).PUBLIC_URL,
      '',
      true,
    ])
    expect(secretAccessKey).to.equal(environmentOf(filled.services.s3 as Service).S3_SECRET)
    const nginx = read('deploy/nginx.conf')
    expect(nginx).to.contain(`location /${bucket}/ {`)
    expect(nginx).to.contain(`proxy_pass http://${addressIn(written.services.s3, 'front')}:9000;`)
    const health = read('deploy/s3-health.sh')
    expect(health).to.contain(`create-user --access ${accessKeyId} --secret "$S3_SECRET" --role user\n`)
    expect(health).to.contain(`create-bucket --owner ${accessKeyId} --bucket ${bucket}\n`)
  })

  it('configures Redis to persist what production needs', () => {
    const settings = read('deploy/redis.conf')
    expect(settings).to.match(/^appendonly yes$/m)
    expect(settings).to.match(/^maxmemory-policy noeviction$/m)
    const { REDIS_PREFIX } = environmentOf(written.services['api-1'] as Service)
    expect(written.services.redis?.command).to.include(`~${REDIS_PREFIX}*`)
  })
})

/** The services in dependency order. */
function startOrder(): string[] {
  const order: string[] = []
  const add = (name: string): void => {
    if (order.includes(name)) return
    for (const other of Object.keys(written.services[name]?.depends_on ?? {})) add(other)
    order.push(name)
  }
  for (const [name] of services) add(name)
  return order
}
