import type english from '../en/kinds.ts'

export default {
  'kind.price.summary': 'der Preis eines Markts über oder unter deine Marke geht',
  'kind.price.when': '{market} {way:above=über|below=unter} {level} liegt',
  'kind.price.any-market': 'der Preis',
  'kind.price.line': '{way:above=über|below=unter} {level}',
  'kind.price.apart': '{share} {way:above=darüber|below=darunter}',
  'kind.price.passed': '{market} steht bei {price}, {way:above=über|below=unter} deinen {level}',
  'kind.price.near': '{market} steht bei {price}, knapp {way:above=über|below=unter} deinen {level}',
  'kind.price.back': '{market} ist zurück {way:above=über|below=unter} {level}, bei {price}',
  'kind.clears-at': 'endet bei {figure}',
  'kind.cost.past': 'über deinen {line}',
  'kind.cost.still-past': 'noch über deinen {line}',
  'kind.cost.near': 'knapp unter deinen {line}, endet bei {figure}',
  'kind.cost.below': 'unter deinen {line}',
  'kind.cost.cleared': '{line} vorbei, {rest}',
  'kind.more': 'und {more} weitere',
  'kind.more-positions': 'und {more} weitere {more:Position|Positionen}',
  'kind.delisted': 'Der Markt ist ausgelistet.',
  'kind.what.price': 'Preis',
  'kind.what.rate': 'Rate',
  'kind.what.position': 'Position',
  'kind.what.orders': 'Orders',
  'kind.what.list': 'Liste',

  'kind.move.summary': 'der Preis eines Markts sich in einer Zeit weit bewegt',
  'kind.move.when': '{market} sich {way:either=|up=nach oben |down=nach unten }um {share} in {span} bewegt',
  'kind.move.line': '{way:either=|up=nach oben |down=nach unten }{share} in {span}',
  'kind.move.figure': 'bewegt um {share}',
  'kind.move.up': '{market} stieg {share} in {took}, auf {price}',
  'kind.move.down': '{market} fiel {share} in {took}, auf {price}',
  'kind.move.from': '{way:up=hoch|down=runter} von {price} um {at}, mehr als deine {share} in {span}',
  'kind.move.seen': 'Ich sah nur {seen} von dieser Zeit',

  'kind.listed.summary': 'die Börse einen neuen Markt listet',
  'kind.removed.summary': 'die Börse einen Markt entfernt oder auslistet',
  'kind.listing.title': '{what:listed=Gelistet|delisted=Ausgelistet|removed=Nicht mehr gelistet}: {markets}',
  'kind.listing.many':
    '{what:listed=Gelistet|delisted=Ausgelistet|removed=Nicht mehr gelistet}: {markets} Märkte',
  'kind.listing.figures': '{kind}-Preis {price}, Funding {rate} im Jahr',
  'kind.removed.held': 'Du hältst {side:long=long|short=short} {size} · {wallet}',

  'kind.rate.summary': 'die Funding-Rate eines Markts über oder unter deine Linie geht',
  'kind.rate.when': 'das Funding von {market} {way:above=über|below=unter} {line} im Jahr liegt',
  'kind.rate.when-any': 'das Funding {way:above=über|below=unter} {line} im Jahr liegt',
  'kind.rate.line': '{way:above=über|below=unter} {line} im Jahr',
  'kind.rate.figure': '{rate} im Jahr',
  'kind.rate.passed': '{market}-Funding: {rate}/Jahr, {way:above=über|below=unter} deinen {line}',
  'kind.rate.near': '{market}-Funding: {rate}/Jahr, knapp {way:above=über|below=unter} deinen {line}',
  'kind.rate.back': '{market}-Funding: {rate}/Jahr, zurück {way:above=über|below=unter} {line}',
  'kind.rate.pays': '{payer:longs=Longs zahlen Shorts|shorts=Shorts zahlen Longs} {rate} am Tag',
  'kind.rate.pays-you':
    '{payer:longs=Longs zahlen Shorts|shorts=Shorts zahlen Longs} {rate} am Tag, du {verb:pay=zahlst|receive=bekommst} {money}',

  'kind.cost.summary': 'eine Position so viel Funding am Tag zahlt',
  'kind.cost.when': 'eine Position {lines} oder mehr Funding am Tag zahlt',
  'kind.cost.line': 'ab {lines} am Tag',
  'kind.cost.tier': '{money} am Tag',
  'kind.cost.figure': 'Funding {cost}',
  'kind.cost.nothing': 'kostet gerade nichts',
  'kind.cost.costs': '{verb:costs=kostet|brings=bringt} {money} am Tag',
  'kind.cost.title': '{market} {side:long=long|short=short}: Funding {cost}',
  'kind.cost.still': '{market} {side:long=long|short=short}: Funding {cost}, immer noch',
  'kind.cost.yearly': '{share} ihres Werts im Jahr',
  'kind.cost.rate': 'Rate {rate} am Tag',
  'kind.cost.next': 'nächstes um {at}',
  'kind.cost.asks': 'Wie viel am Tag, etwa $10',

  'kind.flip.summary': 'das Funding die Richtung wechselt',
  'kind.flip.when': 'das Funding von {market} um mehr als {band} am Tag die Richtung wechselt',
  'kind.flip.when-any': 'das Funding um mehr als {band} am Tag die Richtung wechselt',
  'kind.flip.line': 'ab {band} am Tag',
  'kind.flip.line-warning': 'ab {band} am Tag, Warnung ab {money} am Tag',
  'kind.flip.figure': '{rate} am Tag',
  'kind.flip.pays':
    '{market}-Funding gedreht: {payer:longs=jetzt zahlen Longs an Shorts|shorts=jetzt zahlen Shorts an Longs}',
  'kind.flip.yours':
    '{market}-Funding gedreht: dein {side:long=Long|short=Short} {verb:pay=zahlt|receive=bekommt} jetzt {money} am Tag',
  'kind.flip.you': '{market}-Funding gedreht: du {verb:pay=zahlst|receive=bekommst} jetzt {money} am Tag',
  'kind.flip.rate': '{rate} am Tag',
  'kind.flip.payer':
    '{payer:longs=jetzt zahlen Longs an Shorts|shorts=jetzt zahlen Shorts an Longs}, {rate} am Tag',
  'kind.flip.position':
    '{side:long=long|short=short} {size} {verb:pay=zahlt|receive=bekommt} {money} am Tag · {wallet}',

  'kind.forecast.summary': 'das Funding bald die Richtung wechselt',
  'kind.forecast.when': 'das Funding von {market} wohl innerhalb von {span} die Richtung wechselt',
  'kind.forecast.when-any': 'das Funding wohl innerhalb von {span} die Richtung wechselt',
  'kind.forecast.line': 'bis {span} im Voraus',
  'kind.forecast.figure': 'in etwa {span}',
  'kind.forecast.title': '{market}-Funding dreht wohl in etwa {span}',
  'kind.forecast.payer':
    'Jetzt zahlen {payer:longs=Longs an Shorts|shorts=Shorts an Longs}, {rate} am Tag. Danach umgekehrt, wenn es so weitergeht.',
  'kind.forecast.basis': 'Nach den Zahlen der Börse in {theirs}, nach den Raten, die ich sah, in {own}.',

  'kind.no-stop.summary': 'eine Position keinen Take-Profit und keinen Stop-Loss hat',
  'kind.no-stop.when':
    'eine Position ab {money} keinen {lacks:both=Take-Profit und keinen Stop-Loss|stop-loss=Stop-Loss} hat',
  'kind.no-stop.line': 'ab {money}',
  'kind.no-stop.line-loss': 'ab {money}, auch mit Take-Profit',
  'kind.no-stop.title':
    '{market} {side:long=long|short=short} hat keinen {lacks:both=Take-Profit oder Stop-Loss|stop-loss=Stop-Loss}',
  'kind.no-stop.protected': '{market} {side:long=long|short=short} ist jetzt geschützt',
  'kind.no-stop.small': '{market} {side:long=long|short=short} liegt unter deinen {money}',
  'kind.no-stop.has': '{role:take profit=Take-Profit|stop loss=Stop-Loss} bei {price}',
  'kind.no-stop.lacks': 'Was fehlt: stop-loss, oder both (beide)',

  'kind.order.some-market': 'ein Markt',
  'kind.order.title':
    '{market}: {side:buy=Kauforder|sell=Verkaufsorder|order=Order} {what:filled=ausgeführt|stuck=hängt|expired=abgelaufen|rejected=von der Börse abgelehnt|cancelled=von der Börse gestrichen|lost=nicht ausgeführt|over=hängt nicht mehr}',
  'kind.order.many':
    '{market}: {orders} Orders {what:filled=ausgeführt|stuck=hängen|expired=abgelaufen|rejected=von der Börse abgelehnt|cancelled=von der Börse gestrichen|lost=nicht ausgeführt|over=hängen nicht mehr}',
  'kind.order.limit': 'Limit',
  'kind.order.placed': 'aufgegeben {at}',
  'kind.order.why': 'Grund: {why}',

  'kind.filled.summary': 'eine Order ausgeführt ist, die auf ihren Preis wartete',
  'kind.expired.summary': 'eine Order abläuft oder die Börse sie ablehnt oder streicht',
  'kind.expired.still-open': 'Die Position, die sie verkleinern sollte, ist noch offen.',

  'kind.stuck.summary': 'die Börse eine Order angenommen hat und nichts damit tut',
  'kind.stuck.line': 'länger als {span}',
  'kind.stuck.pending': 'Hängt seit {span} oder mehr: Die Börse hat sie weder ausgeführt noch beendet.',
  'kind.stuck.became': 'Jetzt: {states}',
  'kind.stuck.unlisted': 'in keiner Liste',
  'kind.order-state':
    '{state:pending=wartet|open=offen|triggered=ausgelöst|filled=ausgeführt|cancelled=gestrichen|expired=abgelaufen|rejected=abgelehnt}',

  'kind.tpsl.summary': 'ein Take-Profit oder Stop-Loss auslöst, oder weg ist und seine Position bleibt',
  'kind.tpsl.triggered':
    '{market}{side:long= long|short= short|none=}: {role:take profit=Take-Profit|stop loss=Stop-Loss} bei {price} ausgelöst',
  'kind.tpsl.probably':
    '{market}{side:long= long|short= short|none=}: {role:take profit=Take-Profit|stop loss=Stop-Loss} bei {price} wohl ausgelöst',
  'kind.tpsl.no-record':
    'Der Preis hatte ihn erreicht, als die Position schloss; die Börse sagt nicht, was sie schloss.',
  'kind.tpsl.gone':
    '{market} {side:long=long|short=short}: {role:take profit=Take-Profit|stop loss=Stop-Loss} bei {price} ist weg',
  'kind.tpsl.others': 'Ein anderer {role:take profit=Take-Profit|stop loss=Stop-Loss} ist noch da: {prices}',
  'kind.tpsl.still-open': 'Die Position ist noch offen.',
  'kind.tpsl.was': 'Zustand der Order: {state}. Die Position ist noch offen.',
} satisfies Record<keyof typeof english, string>
