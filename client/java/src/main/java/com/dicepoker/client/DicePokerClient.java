package com.dicepoker.client;

import com.dicepoker.v1.DicePokerServiceGrpc;
import com.dicepoker.v1.DicePokerServiceGrpc.DicePokerServiceBlockingStub;
import com.google.gson.Gson;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A client of the dicepoker service. Its methods are those of the contract; a failed call throws a
 * {@link DicePokerException}. Deadlines, retries and balancing over healthy replicas are built in.
 */
public final class DicePokerClient extends Methods implements AutoCloseable {
  private final ManagedChannel channel;
  private final Duration timeout;

  private DicePokerClient(ManagedChannel channel, Duration timeout) {
    this.channel = channel;
    this.timeout = timeout;
  }

  /** The settings of a client of the service at {@code target}, such as "localhost:50051" or "dns:///dicepoker:50051". */
  public static Builder builder(String target) {
    return new Builder(target);
  }

  /** A client with default settings. */
  public static DicePokerClient connect(String target) {
    return builder(target).build();
  }

  /** The generated stub over this client's connections, with the deadline of a call from now. */
  @Override
  DicePokerServiceBlockingStub stub(long seconds) {
    // A stub's deadline runs from when it is made.
    Duration deadline = timeout == null ? Duration.ofSeconds(seconds) : timeout;
    return DicePokerServiceGrpc.newBlockingStub(channel)
        .withDeadlineAfter(deadline.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** The channel, for generated stubs. */
  public ManagedChannel channel() {
    return channel;
  }

  /** Closes the connections. */
  @Override
  public void close() {
    channel.shutdownNow();
  }

  /** Sets up a client. */
  public static final class Builder {
    private final String target;
    private ChannelCredentials credentials;
    private String token;
    private Duration timeout;

    private Builder(String target) {
      this.target = Objects.requireNonNull(target);
    }

    /** Encrypts connections and trusts the machine's certificate authorities. */
    public Builder tls() {
      return credentials(TlsChannelCredentials.create());
    }

    /** Sets the credentials of connections. */
    public Builder credentials(ChannelCredentials credentials) {
      this.credentials = credentials;
      return this;
    }

    /** Sends a bearer token with every call. It never leaves the machine in plain text. */
    public Builder token(String token) {
      this.token = token;
      return this;
    }

    /**
     * Sets the deadline of a call. By default it is 10 seconds, or 60 for calls that may have to wait
     * until the service has made its tables.
     */
    public Builder timeout(Duration timeout) {
      this.timeout = timeout;
      return this;
    }

    /**
     * Builds the client, which connects on the first call.
     *
     * @throws IllegalArgumentException if the token would travel in plain text
     */
    public DicePokerClient build() {
      boolean encrypted = credentials != null;
      ManagedChannelBuilder<?> builder =
          Grpc.newChannelBuilder(
                  target, encrypted ? credentials : InsecureChannelCredentials.create())
              .defaultServiceConfig(serviceConfig())
              .enableRetry();
      if (token != null) {
        if (!encrypted && !isLoopback(target)) {
          throw new IllegalArgumentException(
              "a token for " + target + " would travel in plain text: use tls()");
        }
        Metadata metadata = new Metadata();
        metadata.put(
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        builder.intercept(MetadataUtils.newAttachHeadersInterceptor(metadata));
      }
      return new DicePokerClient(builder.build(), timeout);
    }

    private static boolean isLoopback(String target) {
      String address = target.substring(target.lastIndexOf('/') + 1);
      String host = URI.create("grpc://" + address).getHost();
      return host != null
          && (host.equals("localhost") || host.equals("[::1]") || host.startsWith("127."));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, ?> serviceConfig() {
      try (Reader reader =
          new InputStreamReader(
              Objects.requireNonNull(
                  DicePokerClient.class.getResourceAsStream("service-config.json")),
              StandardCharsets.UTF_8)) {
        return new Gson().fromJson(reader, Map.class);
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  }
}
