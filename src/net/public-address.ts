import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** IPv4 networks without hosts of the public internet: IANA's registry of special-purpose addresses, and multicast. */
const CLOSED_V4 = [
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
] as const
/** Closed networks among the public ones: protocols, 6to4 with an IPv4 address inside, and documentation. */
const CLOSED_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const
/** Only the first is handed out to the world. The others carry an IPv4 address in their last 32 bits: mapped, and NAT64. */
const OPEN_V6 = [
  ['2000::', 3],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
] as const

const closed = new BlockList()
for (const [network, bits] of CLOSED_V4) {
  // A rule for IPv4 goes for mapped addresses as well.
  closed.addSubnet(network, bits, 'ipv4')
  closed.addSubnet(`64:ff9b::${network}`, 96 + bits, 'ipv6')
}
for (const [network, bits] of CLOSED_V6) closed.addSubnet(network, bits, 'ipv6')
const open = new BlockList()
for (const [network, bits] of OPEN_V6) open.addSubnet(network, bits, 'ipv6')

/** True if the text is a public IP address, i.e. not one of a private or special network. */
export function isPublicAddress(text: string): boolean {
  if (isIPv4(text)) return !closed.check(text, 'ipv4')
  // A zone (`fe80::1%eth0`) makes it an address of one link.
  if (!isIPv6(text) || text.includes('%')) return false
  return open.check(text, 'ipv6') && !closed.check(text, 'ipv6')
}
