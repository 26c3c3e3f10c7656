export default {
  'outage.title': 'I can’t see {what}',
  'outage.title-too': 'I can’t see {what} either',
  'outage.since': 'since {at}: {why}',
  'outage.last-seen': 'last seen: {name} {distance}',
  'outage.more': 'and {more} more',
  'outage.orders': 'Positions are still watched. Order alerts pause until I can read orders again.',
  'outage.margin': 'Positions are still watched, each by its own price.',
  'outage.wallet':
    'I’m watching your last known positions at live prices. I’ll warn you if it gets worse; nothing counts as safe until I see the wallet again.',
  'outage.prices':
    'Without prices I can’t spot new danger. Your alerts stay as they were. I’ll tell you when I can see again.',
  'outage.waits': '{rules} {many:waits|wait} until then. To end it: /remove {first}',
  'outage.rules-more': '{rules} and {more} more',
  'outage.back': 'I can see {what} again',
  'outage.lasted': 'I couldn’t see for {span}',
  'outage.lasted-from': 'I couldn’t see from {from} to {until} ({span})',
  'outage.was': '{name} {distance} (was {before})',

  'outage.source.venue': 'the venue',
  'outage.source.wallet': 'wallet {wallet}',
  'outage.source.account': 'wallet {wallet} in {account}',
  'outage.source.margin': 'the margin of wallet {wallet}',
  'outage.source.margin-of': 'the margin of wallet {wallet} in {account}',
  'outage.source.orders': 'the orders of wallet {wallet}',
  'outage.source.market': 'the market {market}',
  'outage.source.markets': '{markets} markets in {dex}',
  'outage.source.account-number': 'account {digits}',

  'suspension.title': 'I was stopped for {span} and saw nothing',
  'suspension.from': 'from {from} to {until}: my process did not run',
  'suspension.now': 'I’m checking now. Alerts from that time come late.',
} as const
