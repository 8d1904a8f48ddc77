// S3_URL: how it is parsed, what is rejected, and that no error shows a secret.

import { expect } from 'chai'
import { type ConfigFault, readConfig } from '../../server/config.ts'
import { addressOf } from '../../stores/s3/address.ts'

const read = (text: string) => {
  const { endpoint, links, ...rest } = addressOf(text)
  return { endpoint: endpoint.href, links: links.href, ...rest }
}

describe('S3_URL', () => {
  it('names the endpoint, the key, the bucket and the prefix of the files', () => {
    expect(read('http://ak:s%2Fe%2Bc%40@minio:9000/files')).to.deep.equal({
      endpoint: 'http://minio:9000/',
      links: 'http://minio:9000/',
      bucket: 'files',
      prefix: '',
      region: 'us-east-1',
      inPath: true,
      accessKeyId: 'ak',
      secretAccessKey: 's/e+c@',
      shown: 'http://minio:9000/files',
    })
    expect(read('https://ak:sk@s3.eu-central-1.amazonaws.com/my.files/deep/er')).to.include({
      prefix: 'deep/er/',
      bucket: 'my.files',
      region: 'eu-central-1',
      inPath: false,
      shown: 'https://s3.eu-central-1.amazonaws.com/my.files/deep/er/',
    })
    expect(read('https://ak:sk@s3.amazonaws.com/files/')).to.include({ region: 'us-east-1', prefix: '' })
    const all = 'http://ak:sk@minio:9000/files/a/?region=home-1&style=host&links=https://files.example.com'
    expect(read(all)).to.include({
      region: 'home-1',
      inPath: false,
      prefix: 'a/',
      links: 'https://files.example.com/',
      endpoint: 'http://minio:9000/',
    })
  })

  it('is refused in any other form, and the error does not repeat it', () => {
    const wrong = [
      'not a url hunter',
      'ftp://ak:hunter@host/files',
      'https://host/files?hunter',
      'https://ak@host/hunter',
      'https://ak:hunter@host/',
      'https://ak:hunter@host/F',
      'https://ak:hunter@host/files//x',
      'https://ak:hunter@host/files/../x y',
      'https://ak:hunter@host/files?region=EU',
      'https://ak:hunter@host/files?style=both',
      'https://ak:hunter@host/files?links=files.example.com',
      'https://ak:hunter@host/files?links=https://example.com/deep',
      'https://ak:hunter@host/files?links=https://u:hunter@example.com',
      'https://ak:hunter@host/files?other=1',
      'https://ak:hunter@host/files#x',
      'https://ak:%hunter@host/files',
    ]
    for (const text of wrong) {
      expect(() => addressOf(text), text)
        .to.throw(/S3_URL cannot be read/)
        .with.property('stack')
        .not.contain('hunter')
    }
  })

  it('replaces FILES_DIR, and is refused together with it', () => {
    const S3_URL = 'https://ak:hunter@host/files'
    expect(readConfig({ S3_URL })).to.include({ s3Url: S3_URL, filesDir: null })
    expect(readConfig({})).to.include({ s3Url: null })
    const faults = (env: Record<string, string>) => {
      try {
        readConfig(env)
      } catch (failure) {
        return (failure as ConfigFault).faults
      }
      return []
    }
    expect(faults({ S3_URL, FILES_DIR: '/files' })).to.deep.equal([
      'FILES_DIR and S3_URL are both set, but files are stored in only one of them: unset the other.',
    ])
    expect(faults({ S3_URL: 's3://hunter' })).to.deep.equal([
      'S3_URL: must look like https://access-key:secret@host/bucket?region=eu-central-1.',
    ])
  })
})
