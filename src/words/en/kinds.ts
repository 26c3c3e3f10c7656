export default {
  'kind.price.summary': 'the price of a market goes above or below your level',
  'kind.price.when': '{market} is {way:above=above|below=below} {level}',
  'kind.price.any-market': 'the price',
  'kind.price.line': '{way:above=above|below=below} {level}',
  'kind.price.apart': '{share} {way:above=above|below=below}',
  'kind.price.passed': '{market} is at {price}, {way:above=above|below=below} your {level}',
  'kind.price.near': '{market} is at {price}, just {way:above=above|below=below} your {level}',
  'kind.price.back': '{market} is back {way:above=above|below=below} {level}, at {price}',
  'kind.clears-at': 'clears at {figure}',
  'kind.cost.past': 'past your {line}',
  'kind.cost.still-past': 'still past your {line}',
  'kind.cost.near': 'just below your {line}, clears at {figure}',
  'kind.cost.below': 'below your {line}',
  'kind.cost.cleared': '{line} cleared, {rest}',
  'kind.more': 'and {more} more',
  'kind.more-positions': 'and {more} more {more:position|positions}',
  'kind.delisted': 'The market is delisted.',
  'kind.what.price': 'price',
  'kind.what.rate': 'rate',
  'kind.what.position': 'position',
  'kind.what.orders': 'orders',
  'kind.what.list': 'list',

  'kind.move.summary': 'the price of a market moves far within a time',
  'kind.move.when': '{market} moves {way:either=|up=up |down=down }{share} within {span}',
  'kind.move.line': '{way:either=|up=up |down=down }{share} within {span}',
  'kind.move.figure': 'moved {share}',
  'kind.move.up': '{market} rose {share} in {took}, to {price}',
  'kind.move.down': '{market} fell {share} in {took}, to {price}',
  'kind.move.from': '{way:up=up|down=down} from {price} at {at}, past your {share} within {span}',
  'kind.move.seen': 'I saw only {seen} of that time',

  'kind.listed.summary': 'the venue lists a new market',
  'kind.removed.summary': 'the venue removes or delists a market',
  'kind.listing.title': '{what:listed=Listed|delisted=Delisted|removed=No longer listed}: {markets}',
  'kind.listing.many': '{what:listed=Listed|delisted=Delisted|removed=No longer listed}: {markets} markets',
  'kind.listing.figures': '{kind} price {price}, funding {rate} a year',
  'kind.removed.held': 'You hold {side:long=long|short=short} {size} · {wallet}',

  'kind.rate.summary': 'the funding rate of a market goes above or below your line',
  'kind.rate.when': '{market} funding is {way:above=above|below=below} {line} a year',
  'kind.rate.when-any': 'funding is {way:above=above|below=below} {line} a year',
  'kind.rate.line': '{way:above=above|below=below} {line} a year',
  'kind.rate.figure': '{rate} a year',
  'kind.rate.passed': '{market} funding: {rate} a year, {way:above=above|below=below} your {line}',
  'kind.rate.near': '{market} funding: {rate} a year, just {way:above=above|below=below} your {line}',
  'kind.rate.back': '{market} funding: {rate} a year, back {way:above=above|below=below} {line}',
  'kind.rate.pays': '{payer:longs=Longs pay shorts|shorts=Shorts pay longs} {rate} a day',
  'kind.rate.pays-you':
    '{payer:longs=Longs pay shorts|shorts=Shorts pay longs} {rate} a day: you {verb:pay=pay|receive=receive} {money} a day',

  'kind.cost.summary': 'a position pays so much funding a day',
  'kind.cost.when': 'a position pays {lines} or more of funding a day',
  'kind.cost.line': 'from {lines} a day',
  'kind.cost.tier': '{money} a day',
  'kind.cost.figure': 'funding {cost}',
  'kind.cost.nothing': 'costs nothing now',
  'kind.cost.costs': '{verb:costs=costs|brings=brings} {money} a day',
  'kind.cost.title': '{market} {side:long=long|short=short}: funding {cost}',
  'kind.cost.still': '{market} {side:long=long|short=short}: funding still {cost}',
  'kind.cost.yearly': '{share} of its value a year',
  'kind.cost.rate': 'rate {rate} a day',
  'kind.cost.next': 'next at {at}',
  'kind.cost.asks': 'How much a day, e.g. $10',

  'kind.flip.summary': 'funding changes direction',
  'kind.flip.when': '{market} funding changes direction by more than {band} a day',
  'kind.flip.when-any': 'funding changes direction by more than {band} a day',
  'kind.flip.line': 'past {band} a day',
  'kind.flip.line-warning': 'past {band} a day, a warning from {money} a day',
  'kind.flip.figure': '{rate} a day',
  'kind.flip.pays':
    '{market} funding flipped: {payer:longs=longs now pay shorts|shorts=shorts now pay longs}',
  'kind.flip.yours':
    '{market} funding flipped: your {side:long=long|short=short} now {verb:pay=pays|receive=receives} {money} a day',
  'kind.flip.you': '{market} funding flipped: you now {verb:pay=pay|receive=receive} {money} a day',
  'kind.flip.rate': '{rate} a day',
  'kind.flip.payer': '{payer:longs=longs now pay shorts|shorts=shorts now pay longs}, {rate} a day',
  'kind.flip.position':
    '{side:long=long|short=short} {size} {verb:pay=pays|receive=receives} {money} a day · {wallet}',

  'kind.forecast.summary': 'funding is about to change direction',
  'kind.forecast.when': '{market} funding will probably change direction within {span}',
  'kind.forecast.when-any': 'funding will probably change direction within {span}',
  'kind.forecast.line': 'up to {span} ahead',
  'kind.forecast.figure': 'in about {span}',
  'kind.forecast.title': '{market} funding will probably flip in about {span}',
  'kind.forecast.payer':
    'Now {payer:longs=longs pay shorts|shorts=shorts pay longs}, {rate} a day. After that the other way round, if this goes on.',
  'kind.forecast.basis': 'By the venue’s figures in {theirs}, by the rates I saw in {own}.',

  'kind.no-stop.summary': 'a position has no take profit and no stop loss',
  'kind.no-stop.when':
    'a position of {money} or more has no {lacks:both=take profit and no stop loss|stop-loss=stop loss}',
  'kind.no-stop.line': 'from {money}',
  'kind.no-stop.line-loss': 'from {money}, even with a take profit',
  'kind.no-stop.title':
    '{market} {side:long=long|short=short} has no {lacks:both=take profit or stop loss|stop-loss=stop loss}',
  'kind.no-stop.protected': '{market} {side:long=long|short=short} is protected now',
  'kind.no-stop.small': '{market} {side:long=long|short=short} is below your {money}',
  'kind.no-stop.has': '{role:take profit=take profit|stop loss=stop loss} at {price}',
  'kind.no-stop.lacks': 'Missing: stop loss, or both',

  'kind.order.some-market': 'some market',
  'kind.order.title':
    '{market} {side:buy=buy |sell=sell |order=}order {what:filled=filled|stuck=stuck|expired=expired|rejected=rejected by the venue|cancelled=cancelled by the venue|lost=not filled|over=no longer stuck}',
  'kind.order.many':
    '{market}: {orders} orders {what:filled=filled|stuck=stuck|expired=expired|rejected=rejected by the venue|cancelled=cancelled by the venue|lost=not filled|over=no longer stuck}',
  'kind.order.limit': 'limit',
  'kind.order.placed': 'placed {at}',
  'kind.order.why': 'reason: {why}',

  'kind.filled.summary': 'an order that waited for its price is filled',
  'kind.expired.summary': 'an order expires, or the venue rejects or cancels it',
  'kind.expired.still-open': 'The position it was meant to reduce is still open.',

  'kind.stuck.summary': 'the venue has accepted an order and doesn’t act on it',
  'kind.stuck.line': 'for longer than {span}',
  'kind.stuck.pending': 'Pending for {span} or more: the venue has neither filled nor ended it.',
  'kind.stuck.became': 'Now: {states}',
  'kind.stuck.unlisted': 'in no list',
  'kind.order-state':
    '{state:pending=pending|open=open|triggered=triggered|filled=filled|cancelled=cancelled|expired=expired|rejected=rejected}',

  'kind.tpsl.summary': 'a take profit or stop loss is triggered, or gone while its position stays',
  'kind.tpsl.triggered':
    '{market}{side:long= long|short= short|none=}: {role:take profit=take profit|stop loss=stop loss} at {price} triggered',
  'kind.tpsl.probably':
    '{market}{side:long= long|short= short|none=}: {role:take profit=take profit|stop loss=stop loss} at {price} probably triggered',
  'kind.tpsl.no-record':
    'The price had reached it when the position closed; the venue doesn’t say what closed it.',
  'kind.tpsl.gone':
    '{market} {side:long=long|short=short}: its {role:take profit=take profit|stop loss=stop loss} at {price} is gone',
  'kind.tpsl.others': 'Another {role:take profit=take profit|stop loss=stop loss} is still there: {prices}',
  'kind.tpsl.still-open': 'The position is still open.',
  'kind.tpsl.was': 'It was {state}; the position is still open.',
} as const
