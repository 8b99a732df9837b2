// The messages of the contract, wherever it keeps them.
export * from "../gen/dicepoker/v1/advice_pb";
export * from "../gen/dicepoker/v1/analysis_pb";
export * from "../gen/dicepoker/v1/dice_poker_service_pb";
export * from "../gen/dicepoker/v1/game_pb";
export * from "../gen/dicepoker/v1/position_pb";
export * from "../gen/dicepoker/v1/ruleset_pb";
export * from "../gen/dicepoker/v1/score_pb";
export * from "../gen/dicepoker/v1/showdown_pb";
