import { z } from 'zod'

import { formatDecimal } from '../../../venue/amount.ts'
import { parseWallet } from '../../../venue/wallet.ts'
import { good, refusal } from '../endpoints/endpoint.ts'
import type { Account } from '../exchange/account.ts'
import { deposit, withdraw } from '../exchange/cash.ts'
import { openAccount } from '../exchange/exchange.ts'
import { standing, withdrawable } from '../maths/margin.ts'
import { accountId, accountOf, amount, type Door, door, fields, type Stage } from './door.ts'

const owner = z.string('owner is the address of a wallet').transform((text, context) => {
  const parse = parseWallet(text.toLowerCase())
  if (parse.ok) return parse.wallet
  context.addIssue(parse.why)
  return z.NEVER
})
const NUMBER = 'accountId is a whole number of up to 39 digits, in a text'
const number = z.string(NUMBER).regex(/^\d{1,39}$/, NUMBER)
const usd = amount('usd', 'above 0')

/** The first number of an account that is opened without one: 39 digits, as on the real venue. */
const FIRST_ID = 170141183460469231731687303715884190001n

export const accounts: readonly Door[] = [
  door({
    ...{ method: 'POST', path: '/_sim/account' },
    body: fields({ owner, usd: amount('usd'), accountId: number.optional() }),
    example: { owner: '0x51ab1e0000000000000000000000000000000009', usd: 5_000 },
    does: 'opens an account of the wallet with so much collateral; `accountId` is its number, if one is wanted',
    open(stage, asked) {
      const id = asked.accountId ?? freeId(stage)
      if (asked.usd < 0n) return refusal(400, 'usd is not negative.')
      const start = { id, wallet: asked.owner, collateralUsd: asked.usd, positions: [] }
      const opened = openAccount(stage.exchange, start)
      return opened ? good(accountState(stage, opened)) : refusal(409, `There is an account ${id} already.`)
    },
  }),
  door({
    ...{ method: 'POST', path: '/_sim/deposit', body: fields({ accountId, usd }) },
    example: { accountId: '170141183460469231731687303715884105001', usd: 500 },
    does: 'pays collateral in; a debt is paid first',
    open(stage, asked) {
      const account = accountOf(stage, asked.accountId)
      if ('status' in account) return account
      if (deposit(stage.exchange, account, asked.usd)) return good(accountState(stage, account))
      return refusal(
        409,
        'The account is being liquidated: what is paid in would be lost. Wait until it is over.',
      )
    },
  }),
  door({
    ...{ method: 'POST', path: '/_sim/withdraw', body: fields({ accountId, usd }) },
    example: { accountId: '170141183460469231731687303715884105001', usd: 500 },
    does: 'takes collateral out, if the account can spare all of it',
    open(stage, asked) {
      const account = accountOf(stage, asked.accountId)
      if ('status' in account) return account
      if (withdraw(stage.exchange, account, asked.usd)) return good(accountState(stage, account))
      const most = withdrawable(stage.exchange.terms, account, stage.exchange.nowSeconds)
      return refusal(409, `The account can spare ${formatDecimal(most)} USD: take out no more than that.`)
    },
  }),
]

function freeId({ exchange }: Stage): string {
  let id = FIRST_ID
  while (exchange.accounts.has(id.toString())) id++
  return id.toString()
}

/** USD, as decimals. */
export function accountState({ exchange }: Pick<Stage, 'exchange'>, account: Account) {
  const { id, wallet, collateralUsd, debtUsd, isFlagged } = account
  const now = standing(exchange.terms, account, exchange.nowSeconds)
  return {
    ...{ accountId: id, owner: wallet, isBeingLiquidated: isFlagged },
    collateralUsd: formatDecimal(collateralUsd),
    debtUsd: formatDecimal(debtUsd),
    availableMarginUsd: formatDecimal(now.availableMargin),
    initialMarginUsd: formatDecimal(now.initialMargin),
    maintenanceMarginUsd: formatDecimal(now.maintenanceMargin),
    liquidationRewardUsd: formatDecimal(now.liquidationReward),
  }
}
