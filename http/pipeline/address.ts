// Where a call comes from, for limits: an IPv4 address as it is, an IPv6 one as its /64, which is what one caller gets.

export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  if (!address.includes(':')) return address
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice('::ffff:'.length)
  const [left = '', right = ''] = address.replace(/%.*$/, '').split('::')
  const before = left === '' ? [] : left.split(':')
  const after = right === '' ? [] : right.split(':')
  const gap = address.includes('::') ? 8 - before.length - after.length : 0
  const groups = [...before, ...Array<string>(Math.max(0, gap)).fill('0'), ...after]
  return `${groups.slice(0, 4).join(':')}::/64`
}
