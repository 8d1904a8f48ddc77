import { expect } from 'chai'
import { workingKeys } from '../../credentials/master.ts'
import { acceptingOldTokens, openOldToken } from '../../credentials/old-sealed-token.ts'
import { createTokenSeal } from '../../credentials/sealed-token.ts'

const KEY = Uint8Array.from({ length: 64 }, (_, n) => n)
const NEW_KEY = new Uint8Array(32).fill(7)

/** Sealed by the code of versions before 0.2.0 under KEY; in the last one the counter passes 255. */
const OLD_TOKENS: readonly (readonly [string, string])[] = [
  [
    '',
    'TGHGNAFpwGpzATJQgR7FEJE-ZYXdRPFWFQDld2TApS4Mdn7VQMvTMyZBn7gba5wncmYKcjHknkER_wvq3hdcJs6wEsUQx1sbbwtEd7D6joZe9SW6xZ2uJYPF_0DdWxjv',
  ],
  [
    'g1\n0000000000000005',
    'xvoaak_bXvS5TGeZ5uPU5L3_gHpnpBXB68crCb8H4uXdsKrx1qOIjTmG4vuImAC2rVm4IQMMU9_apnfJPHejPs4aYaGglVItURrRh-OHCkwdPyiAAInYl6pGACGGL5zW',
  ],
  [
    'x'.repeat(64),
    '_4974FS77a6du2lhHbCmymvTWXpOwm7J0D9Hp4jzN2AXIitUDQr1_wP7HrXdDb4B9nC1KnYmwTC6zPrevA3ye1JtB2dO4ekoduBvYGa4vI0Jwub4XZvIS90Gx65oESQq',
  ],
  [
    'g2995',
    'zWwrnUh-LHf95jAPsrmL_hRKx3tQCrRRnirg5pLUNbVTHWsbX1a3LDRneyNptqTMGflF7vWDe0CsqI8WDKuaf2p6BGqAmiPdCLTVnPaRe45abqdukawgpfjHoPY_4KfN',
  ],
]

describe('A consistency token of a version before 0.2.0', () => {
  const seal = acceptingOldTokens(createTokenSeal(NEW_KEY), KEY)

  it('is still decrypted, as new tokens are', () => {
    for (const [text, token] of OLD_TOKENS) expect(seal.open(token)).to.equal(text)
    const token = seal.seal('g1\n0000000000000006')
    expect(token).to.have.lengthOf(144)
    expect(seal.open(token)).to.equal('g1\n0000000000000006')
  })

  it('is decrypted with the key that older versions derived from the root secret', () => {
    const { oldConsistency } = workingKeys(new Uint8Array(32).fill(7))
    expect(Buffer.from(oldConsistency).toString('hex')).to.equal(
      '336a6ef34cbb0e87792a4fc92b11638eabe0b0b6613a888944a16f076673782b78f3e81c65ea3392bd01928b629910ef6791628dd58f4f74782a5d6087e36203',
    )
  })

  it('is rejected if any bit differs or with another key', () => {
    const [[, sent] = ['', '']] = OLD_TOKENS
    const token = Buffer.from(sent, 'base64url')
    for (let bit = 0; bit < token.length * 8; bit++) {
      const altered = Buffer.from(token)
      altered[bit >> 3] = (altered[bit >> 3] as number) ^ (1 << (bit & 7))
      expect([bit, seal.open(altered.toString('base64url'))]).to.deep.equal([bit, null])
    }
    for (const at of [0, 40]) {
      const other = KEY.map((byte, n) => (n === at ? byte ^ 1 : byte))
      expect(openOldToken(other, sent)).to.equal(null)
    }
    for (const bad of [`${sent.slice(0, -1)}!`, sent.replace(/./, 'é')]) expect(seal.open(bad)).to.equal(null)
  })
})
