import { z } from 'zod'

import type { Amount } from '../../../venue/amount.ts'
import type { FailedPart, Unusable } from '../../../venue/record/lacking.ts'
import { leaveOut } from '../../http/reply.ts'
import { one, whole } from '../../http/shape.ts'
import { type PositionsRead, readPositions } from './positions.ts'
import { amount, optional, id } from './read.ts'

/** The figures of an account in USD. Null: the venue does not say. */
export interface Figures {
  /** With all gains and losses, isolated positions included. */
  equity: Amount | null
  /** The equity that covers the cross positions. */
  crossEquity: Amount | null
  crossMaintenance: Amount | null
  available: Amount | null
}

export interface AccountRead extends PositionsRead {
  id: string
  figures: Figures
}

/** One page of the accounts of an address. */
export interface AccountsRead {
  accounts: AccountRead[]
  /** Accounts that cannot be read, by their ids. */
  failed: FailedPart[]
  /** Accounts without a readable id. */
  unusable: Unusable[]
  /** Where the next page begins; null if this is the last. */
  cursor: string | null
}

const envelope = z.object({
  accounts: z.array(z.unknown()),
  next_cursor: z.string().nullish().catch(null),
})

const element = z.object({
  index: id,
  l1_address: z.string(),
  positions: z.array(z.unknown()),
  total_asset_value: amount,
  cross_asset_value: amount,
  cross_maintenance_margin_requirement: optional,
  available_balance: optional,
})

const named = z.object({ index: id })

/** Reads an answer of `account`, all accounts of one address or a single one. */
export function readAccounts(body: unknown, owner: string): AccountsRead {
  const { accounts: listed, next_cursor } = whole(envelope, body, 'the accounts')
  const accounts: AccountRead[] = []
  const failed: FailedPart[] = []
  const unusable: Unusable[] = []
  for (const [place, sent] of listed.entries()) {
    const index = named.safeParse(sent)
    const parsed = one(element, sent)
    const why =
      parsed.is === 'unusable'
        ? parsed.why
        : parsed.value.l1_address.toLowerCase() !== owner.toLowerCase()
          ? 'it belongs to another address'
          : accounts.some((other) => other.id === parsed.value.index)
            ? 'it is listed twice'
            : null
    if (parsed.is === 'read' && why === null) accounts.push(accountOf(parsed.value))
    else if (index.success) failed.push({ part: index.data.index, why: why ?? '' })
    else leaveOut(unusable, { what: `account ${place + 1} of ${listed.length}`, why: why ?? '', part: null })
  }
  return { accounts, failed, unusable, cursor: next_cursor || null }
}

function accountOf(sent: z.output<typeof element>): AccountRead {
  return {
    id: sent.index,
    ...readPositions(sent.positions, sent.index),
    figures: {
      equity: sent.total_asset_value,
      crossEquity: sent.cross_asset_value,
      crossMaintenance: sent.cross_maintenance_margin_requirement ?? null,
      available: sent.available_balance ?? null,
    },
  }
}
