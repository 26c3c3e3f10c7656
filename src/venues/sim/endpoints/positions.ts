import { positionListSchema, positionRecord } from '../wire/position.ts'
import { endpoint, good } from './endpoint.ts'
import { nothing, ofOwner, page, paged } from './parameters.ts'

export const positions = endpoint({
  ...{ method: 'GET', path: '/positions/v2', name: 'listPositions', tag: 'Positions' },
  summary: 'List the open positions of a wallet, in all its accounts.',
  description:
    'A wallet that the venue has never seen has none. Margin is shared by all positions of an account.',
  ...{ place: nothing, query: ofOwner.extend(paged.shape), body: null },
  ...{ answer: positionListSchema, notFound: null },
  respond({ exchange, unix }, { query }) {
    const { owner } = query
    const held = (exchange.accountsByWallet.get(owner) ?? []).flatMap((account) =>
      account.positions.map((position) => ({ account, position })),
    )
    const shown = page(held, query).map(({ account, position }) =>
      positionRecord(exchange, account, position, unix),
    )
    return good({ owner, positions: shown, totalCount: held.length })
  },
})
