import com.dicepoker.client.DicePokerClient;
import com.dicepoker.client.DicePokerException;
import com.dicepoker.v1.ApplyRequest;
import com.dicepoker.v1.GetRulesetRequest;
import com.dicepoker.v1.HandScore;
import com.dicepoker.v1.Move;
import com.dicepoker.v1.Position;
import com.dicepoker.v1.ScoreRequest;
import com.dicepoker.v1.SuggestRequest;
import io.grpc.TlsChannelCredentials;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/** Plays a game and a match of dice poker against the service, as well as they can be played. */
public final class Play {
  private static final String RULESET = "dice-poker-13";
  private static final String SHOWDOWN = "dice-poker-witcher";
  private static final long SEED = 42;

  /** The argument is HOST:PORT. */
  public static void main(String[] args) throws IOException {
    try (DicePokerClient client = connect(args[0])) {
      showError(client);
      play(client);
      match(client);
    }
  }

  /** In plain text, or with TLS where DICEPOKER_CA names a file of certificate authorities. */
  private static DicePokerClient connect(String target) throws IOException {
    DicePokerClient.Builder builder = DicePokerClient.builder(target);
    String ca = System.getenv("DICEPOKER_CA");
    if (ca != null) {
      builder.credentials(TlsChannelCredentials.newBuilder().trustManager(new File(ca)).build());
    }
    return builder.token(System.getenv("DICEPOKER_TOKEN")).build();
  }

  private static void showError(DicePokerClient client) {
    var roll = ScoreRequest.newBuilder().setRuleset(RULESET).addAllDice(List.of(1, 3, 2, 4, 7));
    try {
      client.score(roll.build());
    } catch (DicePokerException error) {
      System.out.println("error: " + error.code() + " " + error.reason().orElse(""));
      for (var violation : error.fieldViolations()) {
        System.out.println("  " + violation.field() + ": " + violation.description());
      }
    }
  }

  private static void play(DicePokerClient client) {
    var rules = client.getRuleset(GetRulesetRequest.newBuilder().setRuleset(RULESET).build());
    int rolls = rules.getRuleset().getDefinition().getRolls();
    Position position = Position.newBuilder().setRollsLeft(rolls).build();
    for (int turns = 0; ; ) {
      var question = SuggestRequest.newBuilder().setRuleset(RULESET).setPosition(position);
      Move move = client.suggest(question.setMaxAlternatives(1).build()).getMove();
      var request = ApplyRequest.newBuilder().setRuleset(RULESET).setPosition(position).setMove(move);
      if (move.hasKeep()) {
        request.setSeed(SEED);
      }
      var applied = client.apply(request.build());
      position = applied.getPosition();
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
    }
  }

  /** A match of two players, each of whom makes the best moves. */
  private static void match(DicePokerClient client) {
    var rules = client.getRuleset(GetRulesetRequest.newBuilder().setRuleset(SHOWDOWN).build());
    int rolls = rules.getRuleset().getDefinition().getRolls();
    Position position = Position.newBuilder().setRollsLeft(rolls).build();
    for (int rounds = 0; ; ) {
      var question = SuggestRequest.newBuilder().setRuleset(SHOWDOWN).setPosition(position);
      Move move = client.suggest(question.setMaxAlternatives(1).build()).getMove();
      var request = ApplyRequest.newBuilder().setRuleset(SHOWDOWN).setPosition(position).setMove(move);
      var applied = client.apply(request.setSeed(SEED).build());
      position = applied.getPosition();
      if (applied.hasRound()) {
        rounds++;
        var round = applied.getRound();
        var hands = round.getHandsList().stream().map(HandScore::getTitle);
        var against = hands.collect(Collectors.joining(" against "));
        var winners = players(round.getWinnersList());
        System.out.printf("round %d: %s, won by %s%n", rounds, against, winners);
      }
      if (applied.getGameEnded()) {
        var winners = players(applied.getWinnersList());
        System.out.printf("%s seed %d: won by %s%n", SHOWDOWN, SEED, winners);
        return;
      }
    }
  }

  private static String players(List<Integer> indices) {
    return indices.stream().map(index -> "player " + index).collect(Collectors.joining(" and "));
  }
}
