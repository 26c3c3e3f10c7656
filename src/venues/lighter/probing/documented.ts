// The fields that the documentation or a public recording shows, below each path of an answer.

export const ACCOUNT = [
  ...['code', 'account_type', 'account_trading_mode', 'index', 'l1_address', 'cancel_all_time'],
  ...[
    'total_order_count',
    'total_isolated_order_count',
    'pending_order_count',
    'available_balance',
    'status',
  ],
  ...['collateral', 'transaction_time', 'account_index', 'name', 'description', 'can_invite'],
  ...['referral_points_percentage', 'can_rfq', 'can_rfq_market_ids', 'created_at', 'positions', 'assets'],
  ...['total_asset_value', 'cross_asset_value', 'cross_initial_margin_requirement'],
  ...['cross_maintenance_margin_requirement', 'pool_info', 'shares'],
]

export const POSITION = [
  ...['market_id', 'symbol', 'initial_margin_fraction', 'open_order_count', 'pending_order_count'],
  ...['position_tied_order_count', 'sign', 'position', 'avg_entry_price', 'position_value', 'unrealized_pnl'],
  ...['realized_pnl', 'liquidation_price', 'total_funding_paid_out', 'margin_mode', 'allocated_margin'],
  'total_discount',
]

export const MARKET = [
  ...[
    'symbol',
    'market_id',
    'market_type',
    'base_asset_id',
    'quote_asset_id',
    'status',
    'taker_fee',
    'maker_fee',
  ],
  ...[
    'is_taker_fee_enabled',
    'is_maker_fee_enabled',
    'liquidation_fee',
    'min_base_amount',
    'min_quote_amount',
  ],
  ...['order_quote_limit', 'supported_size_decimals', 'supported_price_decimals', 'supported_quote_decimals'],
  ...['size_decimals', 'price_decimals', 'quote_multiplier', 'default_initial_margin_fraction'],
  ...['min_initial_margin_fraction', 'maintenance_margin_fraction', 'closeout_margin_fraction'],
  ...['last_trade_price', 'mark_price', 'index_price', 'daily_trades_count', 'daily_base_token_volume'],
  ...[
    'daily_quote_token_volume',
    'daily_price_low',
    'daily_price_high',
    'daily_price_change',
    'open_interest',
  ],
  ...['daily_chart', 'market_config', 'strategy_index', 'funding_premium_multiplier', 'funding_clamp_small'],
  ...['funding_clamp_big', 'base_interest_rate', 'created_at'],
]

export const STATS = [
  ...[
    'symbol',
    'market_id',
    'index_price',
    'mark_price',
    'mid_price',
    'open_interest',
    'open_interest_limit',
  ],
  ...['funding_clamp_small', 'funding_clamp_big', 'last_trade_price', 'premium', 'base_interest_rate'],
  ...['current_funding_rate', 'funding_rate', 'funding_timestamp', 'daily_base_token_volume'],
  ...['daily_quote_token_volume', 'daily_price_low', 'daily_price_high', 'daily_price_change'],
]

export const TRADE = [
  ...[
    'trade_id',
    'trade_id_str',
    'tx_hash',
    'type',
    'market_id',
    'size',
    'price',
    'usd_amount',
    'ask_id',
    'bid_id',
  ],
  ...['ask_id_str', 'bid_id_str', 'ask_client_id', 'bid_client_id', 'ask_client_id_str', 'bid_client_id_str'],
  ...['ask_account_id', 'bid_account_id', 'is_maker_ask', 'block_height', 'timestamp', 'transaction_time'],
  ...['taker_fee', 'taker_position_size_before', 'taker_entry_quote_before', 'taker_position_sign_changed'],
  ...['taker_initial_margin_fraction_before', 'maker_fee', 'maker_position_size_before'],
  ...['maker_entry_quote_before', 'maker_position_sign_changed', 'maker_initial_margin_fraction_before'],
  ...['ask_account_pnl', 'bid_account_pnl'],
]

/** The words of `type` that we can tell apart. */
export const TRADE_KINDS = ['trade', 'liquidation', 'deleverage', 'market-settlement']
