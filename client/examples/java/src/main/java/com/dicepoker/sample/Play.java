package com.dicepoker.sample;

import com.dicepoker.v1.ApplyRequest;
import com.dicepoker.v1.ApplyResponse;
import com.dicepoker.v1.DicePokerServiceGrpc;
import com.dicepoker.v1.DicePokerServiceGrpc.DicePokerServiceBlockingStub;
import com.dicepoker.v1.GetRulesetRequest;
import com.dicepoker.v1.KeepMove;
import com.dicepoker.v1.Move;
import com.dicepoker.v1.Position;
import com.dicepoker.v1.ScoreRequest;
import com.dicepoker.v1.SuggestRequest;
import com.google.gson.Gson;
import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Plays a game of dice poker against the service, as well as it can be played. */
public final class Play {
  private static final String RULESET = "dice-poker-13";
  private static final long SEED = 42;

  private final ManagedChannel channel;

  private Play(ManagedChannel channel) {
    this.channel = channel;
  }

  /** Arguments: host:port, and the file of the service config. */
  public static void main(String[] args) throws Exception {
    ManagedChannel channel =
        Grpc.newChannelBuilder(args[0], InsecureChannelCredentials.create())
            .defaultServiceConfig(readServiceConfig(Path.of(args[1])))
            .enableRetry()
            .build();
    try {
      Play play = new Play(channel);
      play.requireHealthy();
      play.showError();
      play.game();
    } finally {
      channel.shutdownNow().awaitTermination(5, TimeUnit.SECONDS);
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, ?> readServiceConfig(Path file) throws IOException {
    return new Gson().fromJson(Files.readString(file), Map.class);
  }

  /** Every call gets a deadline of its own: a stub's would run on from when it was made. */
  private DicePokerServiceBlockingStub service() {
    return DicePokerServiceGrpc.newBlockingStub(channel).withDeadlineAfter(5, TimeUnit.SECONDS);
  }

  private void requireHealthy() {
    ServingStatus status =
        HealthGrpc.newBlockingStub(channel)
            .withDeadlineAfter(5, TimeUnit.SECONDS)
            .check(
                HealthCheckRequest.newBuilder()
                    .setService(DicePokerServiceGrpc.SERVICE_NAME)
                    .build())
            .getStatus();
    System.out.println("health: " + status);
    if (status != ServingStatus.SERVING) {
      throw new IllegalStateException("the service is not serving");
    }
  }

  /** Asks for something that cannot be, to show what the service says of it. */
  private void showError() throws InvalidProtocolBufferException {
    ScoreRequest wrong =
        ScoreRequest.newBuilder().setRuleset(RULESET).addAllDice(List.of(1, 3, 2, 4, 7)).build();
    try {
      service().score(wrong);
    } catch (StatusRuntimeException refused) {
      System.out.print("refused: " + refused.getStatus().getCode());
      for (Any detail : StatusProto.fromThrowable(refused).getDetailsList()) {
        if (detail.is(ErrorInfo.class)) {
          System.out.println(" " + detail.unpack(ErrorInfo.class).getReason());
        } else if (detail.is(BadRequest.class)) {
          for (var violation : detail.unpack(BadRequest.class).getFieldViolationsList()) {
            System.out.println("  " + violation.getField() + ": " + violation.getDescription());
          }
        }
      }
    }
  }

  private void game() {
    GetRulesetRequest question = GetRulesetRequest.newBuilder().setRuleset(RULESET).build();
    int rolls = service().getRuleset(question).getRuleset().getDefinition().getRolls();
    Position position = Position.newBuilder().setRollsLeft(rolls).build();
    int turns = 0;
    while (true) {
      ApplyRequest.Builder request =
          ApplyRequest.newBuilder().setRuleset(RULESET).setPosition(position);
      Move move = position.getDiceCount() == 0 ? throwAll() : best(position);
      request.setMove(move);
      if (move.hasKeep()) {
        request.setSeed(SEED);
      }
      ApplyResponse applied = service().apply(request.build());
      if (applied.getTurnEnded()) {
        turns++;
        var recorded = applied.getRecorded();
        System.out.printf("turn %d: %d in %s%n", turns, recorded.getPoints(), recorded.getCategory());
      }
      if (applied.getGameEnded()) {
        int total = applied.getTotals(0).getGrandTotal();
        System.out.printf("%s seed %d: %d turns, %d points%n", RULESET, SEED, turns, total);
        return;
      }
      position = applied.getPosition();
    }
  }

  private Move best(Position position) {
    SuggestRequest question =
        SuggestRequest.newBuilder()
            .setRuleset(RULESET)
            .setPosition(position)
            .setMaxAlternatives(1)
            .build();
    return service().suggest(question).getMove();
  }

  private static Move throwAll() {
    return Move.newBuilder().setKeep(KeepMove.getDefaultInstance()).build();
  }
}
