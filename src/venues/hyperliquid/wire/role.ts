import { z } from 'zod'

import { parseOwner } from '../../../owner.ts'
import type { Identified } from '../../../venue.ts'
import { unreadable } from '../../refusal.ts'
import { whole } from './read.ts'

const schema = z.union([
  z.object({ role: z.enum(['user', 'vault', 'subAccount', 'missing']) }),
  z.object({ role: z.literal('agent'), data: z.object({ user: z.string() }) }),
])

/** Turns the answer of `userRole` into what the address is. Vaults and sub-accounts hold positions as any wallet does. */
export function readRole(body: unknown): Identified {
  const read = whole(schema, body, 'the role')
  if (read.role === 'missing') return { is: 'unknown' }
  if (read.role !== 'agent') return { is: 'holder' }
  const parsed = parseOwner(read.data.user)
  if (!parsed.ok) throw unreadable('the wallet that this one signs for is no address')
  return { is: 'agent', of: parsed.owner }
}
