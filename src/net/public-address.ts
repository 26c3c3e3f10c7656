/** Of IPv4, what is no host of the public internet (IANA's registry of special-purpose addresses, and multicast). */
const CLOSED_V4: readonly [network: string, bits: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/** Of IPv6 only this is handed out to the world: loopback, link-local, unique local and multicast stand outside. */
const GLOBAL_V6 = ['2000::', 3] as const
/** Within it: protocols, 6to4 with an IPv4 address inside, and documentation. */
const CLOSED_V6: readonly [network: string, bits: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]
/** These stand for the IPv4 address in their last 32 bits. */
const CARRIES_V4: readonly [network: string, bits: number][] = [
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
]

/** Whether this is an address of the world, not of somebody's own network. What is no address is none of the world's. */
export function isPublicAddress(text: string): boolean {
  const v4 = v4Of(text)
  if (v4 !== null)
    return !CLOSED_V4.some(([network, bits]) => v4 >> (32n - BigInt(bits)) === topOf4(network, bits))
  const v6 = v6Of(text)
  if (v6 === null) return false
  const within = ([network, bits]: readonly [string, number]) =>
    v6 >> (128n - BigInt(bits)) === topOf6(network, bits)
  if (CARRIES_V4.some(within)) return isPublicAddress(dotted(v6 & 0xffff_ffffn))
  return within(GLOBAL_V6) && !CLOSED_V6.some(within)
}

function topOf4(network: string, bits: number): bigint {
  return (v4Of(network) ?? 0n) >> (32n - BigInt(bits))
}

function topOf6(network: string, bits: number): bigint {
  return (v6Of(network) ?? 0n) >> (128n - BigInt(bits))
}

/** Four decimal parts and nothing else: `0177.1` is read by some as 127.0.0.1, and by us as no address. */
function v4Of(text: string): bigint | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return null
  return parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n)
}

function dotted(address: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (address >> shift) & 255n).join('.')
}

/** A zone (`fe80::1%eth0`) makes it an address of one link: none of the world's. */
function v6Of(text: string): bigint | null {
  const [head = '', tail, more] = text.split('::')
  if (more !== undefined) return null
  const [left, right] = [groupsOf(head), groupsOf(tail ?? '')]
  if (left === null || right === null) return null
  const missing = 8 - left.length - right.length
  if (tail === undefined ? missing !== 0 : missing < 1) return null
  return [...left, ...Array<bigint>(missing).fill(0n), ...right].reduce(
    (sum, group) => sum * 65_536n + group,
    0n,
  )
}

function groupsOf(text: string): bigint[] | null {
  if (text === '') return []
  const parts = text.split(':')
  const v4 = v4Of(parts.at(-1) ?? '')
  const hex = v4 === null ? parts : parts.slice(0, -1)
  if (!hex.every((part) => /^[\da-f]{1,4}$/i.test(part))) return null
  const groups = hex.map((part) => BigInt(`0x${part}`))
  return v4 === null ? groups : [...groups, v4 >> 16n, v4 & 0xffffn]
}
